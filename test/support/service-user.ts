/** An account without a home folder, as the documented service has; null where the test may become nobody else. */
export const serviceUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;
