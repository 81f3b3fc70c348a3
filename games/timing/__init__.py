"""Time: deadlines, clocks, paces, vacations, pauses, absences, outages, dates of orders."""
