/** The release of this program, as package.json has it. */
export const PROGRAM_VERSION = '0.2.0';

/**
 * The release of the interface that the server claims to speak, and its feature level. Clients refuse to
 * talk to releases before those they know, and choose by the level what they may ask for.
 */
export const ADVERTISED_VERSION = '12.0';

/** Every rule up to this level is honoured; raise it with the rules. */
export const FEATURE_LEVEL = 497;
