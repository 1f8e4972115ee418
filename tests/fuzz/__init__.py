"""Readers fed with damaged inputs: a result or an error of ours, in bounded time."""
