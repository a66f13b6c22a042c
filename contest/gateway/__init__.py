"""The doors that wait: Socket.IO for the original's clients, and the next file by long poll.

Only waiting is asynchronous here. What is done is done by the services, in threads, and all that
counts stands in the database: a gateway that is killed loses no answer it acknowledged.
"""
