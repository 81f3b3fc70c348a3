"""Time: deadlines, clocks, paces, vacations, pauses, absences, outages."""
