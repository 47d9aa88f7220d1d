import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { Config } from './config';
import { isLoopback } from './network-settings';
import { readSecretFile, SecretFileRefused } from './setting-files';
import { type SettingDefinition, settingsOf } from './setting';
import { StartRefused } from './start-refused';

/** The environment has values with which the server cannot start; the message has one sentence per line. */
export class ConfigurationError extends StartRefused {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/**
 * Reads and checks the configuration; the only place that reads the environment. An empty variable counts as unset,
 * because container tools write unset variables that way.
 * @throws {ConfigurationError} naming each variable with a wrong value, and what is allowed
 */
export function loadConfig(env: Environment = process.env): Config {
  const { values: config, problems } = readVariables(Config, env);
  if (problems.length === 0) problems.push(...contradictions(config));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return Object.freeze(config);
}

/**
 * The same for another class with `Setting` fields: the settings of a module.
 * @throws {ConfigurationError}
 */
export function loadSettings<T extends object>(settings: new () => T, env: Environment = process.env): T {
  const { values, problems } = readVariables(settings, env);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return Object.freeze(values);
}

type Environment = Readonly<Record<string, string | undefined>>;

function readVariables<T extends object>(
  fields: new () => T,
  env: Environment,
): { readonly values: T; readonly problems: string[] } {
  const settings = settingsOf(fields.prototype as object);
  const texts: Record<string, string | null> = {};
  const problems: string[] = [];
  const given = new Set<string>();
  for (const setting of settings) {
    const { variable, property, default: fallback } = setting;
    const text = givenText(setting, env, problems);
    if (text !== undefined) given.add(property);
    texts[variable] = text ?? (typeof fallback === 'function' ? fallback(texts) : fallback);
  }
  const values = plainToInstance(fields, texts, { excludeExtraneousValues: true });
  const refused = validateSync(values, { forbidUnknownValues: false })
    .filter(({ property }) => given.has(property))
    .flatMap(({ constraints }) => Object.values(constraints ?? {}));
  return { values, problems: [...problems, ...refused] };
}

/** The text of a setting, from its variable or, for a secret, from the file that another variable names. */
function givenText(
  { variable, secret }: SettingDefinition,
  env: Environment,
  problems: string[],
): string | undefined {
  const fileVariable = `${variable}_FILE`;
  const [text, file] = [env[variable], secret ? env[fileVariable] : undefined];
  if (!file) return text || undefined;
  if (text) {
    problems.push(`${variable} and ${fileVariable} are both set. Only one of them can hold the value.`);
    return undefined;
  }
  try {
    return readSecretFile(file);
  } catch (error) {
    if (!(error instanceof SecretFileRefused)) throw error;
    problems.push(`${fileVariable} names ${file}, which ${error.message}.`);
    return undefined;
  }
}

/** The files that contain secrets instead of variables. */
export function secretFiles(
  env: Environment = process.env,
): { readonly variable: string; readonly path: string }[] {
  return settingsOf(Config.prototype).flatMap(({ variable, secret }) => {
    const path = env[`${variable}_FILE`];
    return secret && path ? [{ variable: `${variable}_FILE`, path }] : [];
  });
}

/** Like {@link loadConfig}, with some variables overridden. */
export function loadConfigWith(given: Readonly<Record<string, string | undefined>>): Config {
  const env = { ...process.env, ...given };
  for (const variable of Object.keys(given)) delete env[`${variable}_FILE`];
  return loadConfig(env);
}

/** The environment for a child process. */
export function environment(): NodeJS.ProcessEnv {
  return process.env;
}

/** Whether `npx` or `npm start` started this process. */
export function isStartedByNpm(): boolean {
  return ['npx', 'start'].includes(process.env.npm_lifecycle_event ?? '');
}

/** Settings that are valid alone but contradict each other. */
function* contradictions(config: Config): Generator<string> {
  if (config.isDevelopment && !isLoopback(config.host) && !config.allowDevelopmentOnAnyAddress) {
    yield (
      `HOST is "${config.host}" while SERVER_MODE is "development", which gives every API key to anyone who asks: ` +
      'HOST must be a loopback address such as 127.0.0.1, or ALLOW_DEVELOPMENT_ON_ANY_ADDRESS must be true.'
    );
  }
  if ((config.tlsCert === null) !== (config.tlsKey === null)) {
    const [given, missing] = config.tlsCert === null ? ['TLS_KEY', 'TLS_CERT'] : ['TLS_CERT', 'TLS_KEY'];
    yield `${given} is set but ${missing} is not. TLS needs both the certificate and its key.`;
  }
  if (config.workers > 1 && config.databaseUrl === null) {
    yield 'WORKERS has a value that is not allowed: without DATABASE_URL, it must be 1.';
  }
  if (config.databaseReplicaUrl !== null && config.databaseUrl === null) {
    yield 'DATABASE_REPLICA_URL is set but DATABASE_URL is not. It must point to a replica of that database.';
  }
  if (config.secretKeyPrevious !== null && config.secretKeyPrevious === config.secretKey) {
    yield 'SECRET_KEY_PREVIOUS has a value that is not allowed: it must differ from SECRET_KEY.';
  }
}
