"""The classical store on levels: one vector carries a state for every store at once."""
