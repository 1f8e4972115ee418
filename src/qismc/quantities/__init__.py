"""How likely, how often, with which outcome: numbers from the solved system, in coordinates of sp."""
