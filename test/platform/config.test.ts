import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Config } from '../../src/platform/config/config';
import { ConfigurationError, loadConfig } from '../../src/platform/config/load-config';
import { settingsOf } from '../../src/platform/config/setting';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

const POSTGRES =
  'an address that begins with "postgres://" or "postgresql://", and does not ask for servers that only read';
const MAIL_SERVER = 'an address that begins with "smtp://" or "smtps://", with the name of the mail server';

describe('configuration', () => {
  it('starts with an empty environment', () => {
    expect(loadConfig({})).toEqual({
      host: '127.0.0.1',
      port: 9991,
      externalUrl: 'http://127.0.0.1:9991',
      tlsCert: null,
      tlsKey: null,
      allowedHosts: [],
      trustedProxies: [],
      rateLimitPerMinute: 200,
      loginMaxAttempts: 5,
      loginWindowSeconds: 900,
      loginAddressMaxAttempts: 50,
      accessTokenIdleSeconds: 28_800,
      accessTokenLifetimeSeconds: 28_800,
      browserSessionIdleSeconds: 604_800,
      browserSessionLifetimeSeconds: 1_209_600,
      console: 'on',
      webAppDir: null,
      maxUploadMib: 25,
      uploadQuotaMib: 0,
      personalUploadQuotaMib: 5_120,
      auditRetentionDays: 0,
      shutdownTimeoutSeconds: 8,
      shutdownDelaySeconds: 0,
      dataDir: resolve('data'),
      databaseUrl: null,
      databasePoolSize: 20,
      workers: 1,
      databasePooler: 'none',
      databaseReplicaUrl: null,
      filesUrl: null,
      backupUrl: null,
      backupLockDays: 0,
      databaseConnectTimeoutSeconds: 5,
      databaseReadTimeoutSeconds: 7,
      databaseWriteTimeoutSeconds: 15,
      redisUrl: null,
      sqliteDriver: 'auto',
      sqliteSynchronous: 'full',
      eventRetentionHours: 169,
      secretKey: null,
      secretKeyPrevious: null,
      jitsiServerUrl: 'https://meet.jit.si',
      giphyApiKey: null,
      klipyApiKey: null,
      organizationName: 'Parley',
      ownerEmail: null,
      ownerPassword: null,
      emailDomain: 'parley.localhost',
      webPublicStreamsEnabled: false,
      webhookTimeoutSeconds: 10,
      webhookPrivateNetworks: [],
      webhookSecret: null,
      webhookAppSecret: null,
      webhookVerifyToken: null,
      webhookChannel: 'messaging',
      messagingSendUrl: null,
      modules: [],
      smtpUrl: null,
      allowSmtpWithoutTls: false,
      mailFrom: 'noreply@parley.localhost',
      emailGatewayPattern: null,
      emailGatewayAuthservId: null,
      serverMode: 'production',
      allowDevelopmentOnAnyAddress: false,
      readyNeedsRedis: false,
      identityProviders: null,
      ldapDirectory: null,
      metricsToken: null,
      tracesEndpoint: null,
      tracesHeaders: {},
      tracesRatio: 0.01,
      keepSecret: false,
      breachedPasswordsFile: null,
      logLevel: 'info',
    });
  });

  it('takes names in the form that names have everywhere, and none with characters that nobody sees', () => {
    const config = loadConfig({
      ORGANIZATION_NAME: ' Cafe\u0301\u00a0 Zoë ',
      WEBHOOK_CHANNEL: 'front\u2003desk',
    });
    expect([config.organizationName, config.webhookChannel]).toEqual(['Café Zoë', 'front desk']);
    for (const name of ['a\u200bb', '\u2800', ' ', '\u0301a', 'a\u202eb']) {
      expect(problemsOf({ ORGANIZATION_NAME: name, WEBHOOK_CHANNEL: name })).toEqual([
        expect.stringContaining('ORGANIZATION_NAME'),
        expect.stringContaining('WEBHOOK_CHANNEL'),
      ]);
    }
    expect(problemsOf({ WEBHOOK_CHANNEL: 'x'.repeat(61) })).toHaveLength(1);
  });

  it('reads every setting, and cannot be changed afterwards', () => {
    const config = loadConfig({
      HOST: '[::1]',
      PORT: '0',
      EXTERNAL_URL: 'https://Chat.Example.com/',
      ALLOWED_HOSTS: 'Chat.LAN, *.Example.org. app_1,exämple.com',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1 192.168.1.1',
      RATE_LIMIT_PER_MINUTE: '0',
      DATA_DIR: '/var/lib/parley',
      DATABASE_URL: 'postgres://parley:pw@localhost/parley',
      REDIS_URL: 'redis://localhost',
      SQLITE_DRIVER: 'libsql',
      SMTP_URL: 'smtps://parley:p%40w@mail.example.com',
      ALLOW_SMTP_WITHOUT_TLS: 'true',
      SECRET_KEY: 's'.repeat(32),
      OWNER_EMAIL: 'iago@example.com',
      OWNER_PASSWORD: ' as it stands ',
      WEB_PUBLIC_STREAMS_ENABLED: 'True',
      SERVER_MODE: 'development',
      LOG_LEVEL: 'silent',
    });
    expect(config).toMatchObject({
      host: '::1',
      port: 0,
      externalUrl: 'https://chat.example.com',
      emailDomain: 'chat.example.com',
      allowedHosts: ['chat.lan', '*.example.org', 'app_1', 'xn--exmple-cua.com'],
      hosts: ['chat.example.com', '::1', 'chat.lan', '*.example.org', 'app_1', 'xn--exmple-cua.com'],
      trustedProxies: ['10.0.0.0/8', '::1', '192.168.1.1'],
      rateLimitPerMinute: 0,
      dataDir: '/var/lib/parley',
      databaseUrl: 'postgres://parley:pw@localhost/parley',
      redisUrl: 'redis://localhost',
      sqliteDriver: 'libsql',
      smtpUrl: 'smtps://parley:p%40w@mail.example.com',
      allowSmtpWithoutTls: true,
      mailFrom: 'noreply@chat.example.com',
      secretKey: 's'.repeat(32),
      ownerEmail: 'iago@example.com',
      ownerPassword: ' as it stands ',
      webPublicStreamsEnabled: true,
      isDevelopment: true,
      logLevel: 'silent',
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('takes an empty variable as unset, and leaves unknown ones alone', () => {
    expect(loadConfig({ PORT: '', SECRET_KEY: '', PARLEY_PORT: 'x' })).toEqual(loadConfig({}));
  });

  it('names itself by an address that clients can reach', () => {
    expect(loadConfig({ HOST: '0.0.0.0', PORT: '8080' }).externalUrl).toBe('http://127.0.0.1:8080');
    expect(loadConfig({ HOST: '::' }).externalUrl).toBe('http://[::1]:9991');
    expect(loadConfig({ HOST: 'chat' }).externalUrl).toBe('http://chat:9991');
    expect(loadConfig({ EXTERNAL_URL: 'http://10.1.2.3:8080' }).emailDomain).toBe('parley.localhost');
  });

  it.each([
    ['HOST', 'my host', 'HOST is "my host", but it must be an IP address or a host name, without a port.'],
    [
      'HOST',
      '127.0.0.1:80',
      'HOST is "127.0.0.1:80", but it must be an IP address or a host name, without a port.',
    ],
    ['PORT', '65536', 'PORT is "65536", but it must be a whole number from 0 to 65535.'],
    ['PORT', '1e3', 'PORT is "1e3", but it must be a whole number from 0 to 65535.'],
    ['MAX_UPLOAD_MIB', '-1', 'MAX_UPLOAD_MIB is "-1", but it must be a whole number from 1 to 4096.'],
    ['SERVER_MODE', 'prod', 'SERVER_MODE is "prod", but it must be "production" or "development".'],
    [
      'WEB_PUBLIC_STREAMS_ENABLED',
      'maybe',
      'WEB_PUBLIC_STREAMS_ENABLED is "maybe", but it must be "true" or "false".',
    ],
    ['OWNER_EMAIL', 'iago', 'OWNER_EMAIL is "iago", but it must be an e-mail address.'],
    [
      'EMAIL_DOMAIN',
      '10.0.0.1',
      'EMAIL_DOMAIN is "10.0.0.1", but it must be a domain name such as "chat.example.com".',
    ],
    [
      'EXTERNAL_URL',
      'https://me:secret@example.com/chat',
      'EXTERNAL_URL is "https://***@example.com/chat", but it must be the "http://" or "https://" address of the server, without a path.',
    ],
    ...['*', 'chat.lan:9991', 'https://chat.lan', 'a.*.example.com', 'chat lan!'].map(
      (value): [string, string, string] => [
        'ALLOWED_HOSTS',
        value,
        `ALLOWED_HOSTS is "${value}", but it must be host names without a port, such as "chat.example.com" or, for all names below one, "*.example.com", separated by commas.`,
      ],
    ),
    [
      'TRUSTED_PROXIES',
      '10.0.0.0/33',
      'TRUSTED_PROXIES is "10.0.0.0/33", but it must be IP addresses or networks such as "10.0.0.0/8", separated by commas.',
    ],
  ])('refuses %s=%s with a sentence', (variable, value, sentence) => {
    expect(problemsOf({ [variable]: value })).toEqual([sentence]);
  });

  it.each([
    ['SECRET_KEY', 'too short', 'at least 32 characters long'],
    ['SECRET_KEY_PREVIOUS', 'too short', 'at least 32 characters long'],
    ['OWNER_PASSWORD', 'short', 'at least 8 characters long'],
    ['DATABASE_URL', 'mysql://u:pw@h', POSTGRES],
    ['DATABASE_URL', 'postgres://u:pw@h/db?target_session_attrs=standby', POSTGRES],
    ['REDIS_URL', 'pw', 'an address that begins with "redis://" or "rediss://"'],
    ['SMTP_URL', 'smtp://u:%zz@h', MAIL_SERVER],
    ['SMTP_URL', 'smtp://', MAIL_SERVER],
    ['SMTP_URL', 'https://u:pw@h', MAIL_SERVER],
  ])('never shows the value of %s', (variable, value, allowed) => {
    expect(problemsOf({ [variable]: value })).toEqual([
      `${variable} has a value that is not allowed: it must be ${allowed}.`,
    ]);
  });

  it('lists every problem at once, and only what the operator wrote', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'loud' })).toHaveLength(2);
    expect(problemsOf({ HOST: 'a b' })).toHaveLength(1);
  });

  it('shortens a value of unbearable length', () => {
    expect(problemsOf({ PORT: '9'.repeat(5000) })[0]?.length).toBeLessThan(200);
  });

  it('refuses development mode where other machines can reach it, unless that is asked for', () => {
    const exposed = { SERVER_MODE: 'development', HOST: '0.0.0.0' };
    expect(problemsOf(exposed)).toEqual([
      expect.stringMatching(/^HOST is "0\.0\.0\.0" while SERVER_MODE is "development".*must be true\.$/),
    ]);
    expect(problemsOf({ ...exposed, ALLOW_DEVELOPMENT_ON_ANY_ADDRESS: 'true' })).toEqual([]);
    for (const HOST of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) {
      expect(problemsOf({ SERVER_MODE: 'development', HOST })).toEqual([]);
    }
  });

  it('refuses a replica of a database that is not named', () => {
    const url = 'postgres://standby/parley';
    expect(() => loadConfig({ DATABASE_REPLICA_URL: url })).toThrow('DATABASE_URL is not');
    const config = loadConfig({ DATABASE_URL: 'postgres://primary/parley', DATABASE_REPLICA_URL: url });
    expect(config.databaseReplicaUrl).toBe(url);
  });

  it('refuses a previous secret that is the one in use', () => {
    const secret = 's'.repeat(32);
    expect(problemsOf({ SECRET_KEY: secret, SECRET_KEY_PREVIOUS: secret })).toEqual([
      'SECRET_KEY_PREVIOUS has a value that is not allowed: it must differ from SECRET_KEY.',
    ]);
  });

  describe('of secrets in files', () => {
    let folder: string;

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'parley-secrets-'));
    });

    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    function fileOf(content: string | Buffer): string {
      const path = join(folder, randomUUID());
      writeFileSync(path, content);
      return path;
    }

    it('takes each secret from the file that its variable with _FILE names', () => {
      const key = 's'.repeat(32);
      expect(loadConfig({ SECRET_KEY_FILE: fileOf(`${key}\r\n`) }).secretKey).toBe(key);
      expect(loadConfig({ OWNER_PASSWORD_FILE: fileOf(' as it stands ') }).ownerPassword).toBe(
        ' as it stands ',
      );
    });

    it('takes nothing else from files', () => {
      expect(loadConfig({ PORT_FILE: fileOf('1') }).port).toBe(9991);
    });

    it('refuses a secret that is given twice', () => {
      const both = { METRICS_TOKEN: 't'.repeat(16), METRICS_TOKEN_FILE: fileOf('t'.repeat(16)) };
      expect(problemsOf(both)).toEqual([
        'METRICS_TOKEN and METRICS_TOKEN_FILE are both set. Only one of them can hold the value.',
      ]);
    });

    it('judges what is in a file, and does not show it', () => {
      expect(problemsOf({ SECRET_KEY_FILE: fileOf('too short') })).toEqual([
        'SECRET_KEY has a value that is not allowed: it must be at least 32 characters long.',
      ]);
    });

    it.each([
      ['is missing', () => join(folder, 'none'), 'cannot be read (ENOENT)'],
      ['is empty', () => fileOf('\n'), 'is empty'],
      ['is a folder', () => folder, 'is no regular file'],
      ['is too long', () => fileOf('s'.repeat(65_537)), 'is longer than 65536 bytes'],
      ['is no text', () => fileOf('s\0'.repeat(20)), 'is no text'],
    ])('refuses a file that %s', (_what, path, problem) => {
      const file = path();
      expect(problemsOf({ SECRET_KEY_FILE: file })).toEqual([
        `SECRET_KEY_FILE names ${file}, which ${problem}.`,
      ]);
    });

    (process.platform === 'win32' ? it.skip : it)('waits for no one to write into a named pipe', () => {
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      expect(problemsOf({ SECRET_KEY_FILE: pipe })).toEqual([
        `SECRET_KEY_FILE names ${pipe}, which is no regular file.`,
      ]);
    });
  });

  it('documents each field once', () => {
    const settings = settingsOf(Config.prototype);
    const fields = settings.map(({ property }) => property);
    expect(fields.toSorted()).toEqual(Object.keys(loadConfig({})).toSorted());
    expect(new Set(settings.map(({ variable }) => variable)).size).toBe(settings.length);
    for (const { about } of settings) expect(about).toMatch(/^[A-Z`][^]*\.$/);
  });
});
