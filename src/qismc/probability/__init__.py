"""How likely, how often: certain and numeric probabilities in coordinates of the reached subspaces."""
