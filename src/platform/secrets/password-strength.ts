/** What a password must be. */
export const PASSWORD_RULES = {
  minLength: 6,
  /** What lies beyond is not looked at, as the time an estimate takes grows faster than the length. */
  maxLength: 100,
  minGuesses: 10_000,
} as const;

/** A password that is strong up to here is strong; most never need the long look. */
const FIRST_LOOK_LENGTH = 24;

/**
 * Whether a password may be chosen : long enough, and far enough
 * away from common passwords, patterns and dates.
 */
export function isStrongPassword(password: string): boolean {
  const characters = Array.from(password);
  if (characters.length < PASSWORD_RULES.minLength) return false;
  const guessesFor = estimator();
  return [FIRST_LOOK_LENGTH, PASSWORD_RULES.maxLength].some(
    (length) => guessesFor(characters.slice(0, length).join('')) >= PASSWORD_RULES.minGuesses,
  );
}

let loadedEstimator: ((password: string) => number) | undefined;

/** Loaded when the first password is set: the dictionaries take 100 ms and tens of megabytes. */
function estimator(): (password: string) => number {
  if (loadedEstimator) return loadedEstimator;
  /* eslint-disable @typescript-eslint/no-require-imports -- an import at the top would load it at start */
  const { zxcvbn, zxcvbnOptions } = require('@zxcvbn-ts/core') as typeof import('@zxcvbn-ts/core');
  const common = require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common');
  /* eslint-enable @typescript-eslint/no-require-imports -- everything below is loaded */
  zxcvbnOptions.setOptions({ dictionary: common.dictionary, graphs: common.adjacencyGraphs });
  loadedEstimator = (password) => zxcvbn(password).guesses;
  return loadedEstimator;
}
