"""Bots that take part through the real pages and sockets: the load test, and the pilot before people come.

They send what must be accepted and what must be refused, and report both. A bot never counts in a study.
"""
