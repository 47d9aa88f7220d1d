/** The oldest supported Node.js, as in package.json. */
const OLDEST = '20.19.0';

/**
 * The message for an unsupported version of Node.js.
 * @param version such as `18.20.4`
 * @returns null if it is recent enough
 */
export function oldNodeNotice(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null;
  return `Parley needs Node.js ${OLDEST} or later, and this is ${version}: install a newer one (https://nodejs.org).\n`;
}

// Import this before anything that an older Node.js may not even load.
const notice = oldNodeNotice(process.versions.node);
if (notice !== null) {
  process.stderr.write(notice);
  process.exit(1);
}
