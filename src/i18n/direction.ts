/**
 * Marks that turn whatever stands behind them, to their own end: with them "gpj.exe" reads as "exe.jpg". The other marks of
 * direction turn nothing else, and honest names in Arabic carry them.
 */
export const turningMarks = /[\u202a-\u202e\u2066-\u2069]/gu;

/** Every mark of direction, for texts where none has a use: amounts, names of files. */
export const directionMarks = /\p{Bidi_Control}/gu;
