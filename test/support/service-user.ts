/** An account without a home folder, like that of the documented service; null if the test cannot change its user. */
export const serviceUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;
