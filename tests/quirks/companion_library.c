/* A library that an FMU brings along. VALUE: what it says. */
double companion(void) { return VALUE; }
