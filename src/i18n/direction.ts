/** Marks that reverse the text after them: "gpj.exe" reads as "exe.jpg". Honest Arabic names carry the other marks. */
export const turningMarks = /[\u202a-\u202e\u2066-\u2069]/gu;

/** All direction marks, for texts that need none: amounts, file names. */
export const directionMarks = /\p{Bidi_Control}/gu;
