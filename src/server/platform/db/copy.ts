// What stands around the rows of a COPY in binary format (PostgreSQL, "COPY", Binary Format): no value is written in hexadecimal then.

/** The signature, no flags, and no extension. */
export const copyHeader = Buffer.concat([Buffer.from("PGCOPY\n\xff\r\n\0", "latin1"), Buffer.alloc(8)]);

/** Where a row would say how many columns it has: -1. */
export const copyTrailer = Buffer.from([0xff, 0xff]);
