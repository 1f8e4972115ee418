"""Which atoms hold where: membership, certainty and probabilities, asked for lazily."""
