const MASK = '[secret]';

/** Names under which secrets travel, in any case and with or without separators. */
const SECRET_NAME =
  /^(authorization|cookie|setcookie|.*password|passwordhash|.*apikey|.*secret|.*secretkey|.*token|.*nonce|parameters)$/;

/** Secrets that can be recognized inside a text: credentials, query and form parameters, addresses with passwords. */
const SECRET_TEXTS: readonly [RegExp, string][] = [
  [/\b(basic|bearer) +[\w+/=.~-]{6,}/gi, `$1 ${MASK}`],
  [/((?:password|api_key|secret|token)=)[^&\s"']*/gi, `$1${MASK}`],
  [/(\/\/)[^/\s"']+@/g, `$1${MASK}@`],
  // Tokens of the companion interface, and API keys, anywhere in a text; hashes in hex do not match.
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, MASK],
  [/(?<![A-Za-z0-9])(?=[A-Za-z]*\d)(?![0-9a-f]{32}(?![A-Za-z0-9]))[A-Za-z0-9]{32}(?![A-Za-z0-9])/g, MASK],
  // Links that open a file without credentials.
  [/(\/user_uploads\/+temporary\/+)[^/\s"']+/g, `$1${MASK}`],
  // The link with which the first owner signs in.
  [/(\/login\/+first\/*\?code=)[^&\s"']+/g, `$1${MASK}`],
  // Links with which people join, or set a new password.
  [/(\/(?:join|accounts\/+do_confirm|accounts\/+password\/+reset)\/+)[^/\s"']+/g, `$1${MASK}`],
];

/** Deeper than any line we write; deeper values are omitted. */
const DEPTH = 6;

/** A text with its secrets masked. */
export function redactText(text: string): string {
  return SECRET_TEXTS.reduce((redacted, [pattern, mask]) => redacted.replace(pattern, mask), text);
}

/** A copy of a log entry, without values that are secret by their name or by their look. */
export function redact(entry: Record<string, unknown>): Record<string, unknown> {
  return redactEntries(entry, DEPTH);
}

function redactEntries(entry: object, depth: number): Record<string, unknown> {
  const redacted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry)) {
    redacted[name] = isSecretName(name) ? MASK : redactValue(value, depth - 1);
  }
  return redacted;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0 || Buffer.isBuffer(value)) return '[...]';
  if (value instanceof Error) return describeError(value, depth);
  if (Array.isArray(value)) return value.map((each) => redactValue(each, depth - 1));
  return redactEntries(value, depth);
}

/** Picks only what helps: drivers attach rows, parameters and connection settings to their errors. */
function describeError(error: Error & { code?: unknown; query?: unknown }, depth: number): unknown {
  return {
    type: error.name,
    message: redactText(error.message),
    stack: redactText(error.stack ?? ''),
    code: error.code,
    query: error.query,
    cause: error.cause === undefined ? undefined : redactValue(error.cause, depth - 1),
  };
}

const knownNames = new Map<string, boolean>();

function isSecretName(name: string): boolean {
  let isSecret = knownNames.get(name);
  if (isSecret === undefined) {
    isSecret = SECRET_NAME.test(name.toLowerCase().replace(/[^a-z]/g, ''));
    if (knownNames.size < 1000) knownNames.set(name, isSecret);
  }
  return isSecret;
}
