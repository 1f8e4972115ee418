"""Campaigns: which faults does a specification notice?"""
