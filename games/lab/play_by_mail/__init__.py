"""Seeded people who play by mail: they read what arrives over SMTP, follow its links and submit the forms they find.

`manage.py play_by_mail` runs them against the service. They use the doors that people have and no others; the database
is asked only when the game is over, to compare what it says with what people were sent.
"""
