import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Database } from '../../src/platform/database/database.service';
import { writeState } from '../../src/platform/database/server-state';
import { beginQuarantine } from '../../src/platform/jobs/job';
import { BackupService } from '../../src/features/operations/backup/backup.service';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import { expectSuccess } from '../support/expect-answer';
import { MailServer } from '../support/mail-server';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';

const OPS = join(__dirname, '../../ops');
const promtool = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8' });
const hasPromtool = promtool('--version').status === 0;
if (!hasPromtool) test.todo('ops/prometheus: promtool is not installed here');
const withPromtool = hasPromtool ? it : it.skip;

/** Several nodes, and so Redis, there are on PostgreSQL alone; it need not answer here. */
const REDIS = { REDIS_URL: 'redis://127.0.0.1:1' };
const isOnPostgres = process.env.TEST_ENGINE === 'postgres';

async function metricsOf(app: TestApp): Promise<string> {
  return (await app.nest.inject({ method: 'GET', url: '/metrics' })).body;
}

async function figure(app: TestApp, name: string): Promise<number> {
  const line = (await metricsOf(app)).split('\n').find((each) => each.startsWith(`${name} `));
  if (line === undefined) throw new Error(`There is no ${name}.`);
  return Number(line.slice(name.length + 1));
}

describe('the metrics that operators are alerted by', () => {
  const clock = new OffsetClock();
  let app: TestApp;
  let mail: MailServer;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-monitoring-'));
    mail = await MailServer.start({ refusals: [451, 550] });
    app = await TestApp.start({
      clock,
      env: { SMTP_URL: mail.url, MAIL_FROM: 'chat@example.org', ...REDIS },
    });
  });

  afterAll(async () => {
    await app.stop();
    await mail.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('say how much room there is, whether the node is ready, and what its tables are', async () => {
    const free = await figure(app, 'parley_disk_free_bytes');
    expect(free).toBeGreaterThan(0);
    expect(await figure(app, 'parley_disk_size_bytes')).toBeGreaterThanOrEqual(free);
    expect(await figure(app, 'parley_disk_full')).toBe(0);
    expect(await figure(app, 'parley_ready')).toBe(1);
    const newest = [...app.get(Database).migrations].at(-1);
    expect(await figure(app, `parley_schema_info{schema="${newest}"}`)).toBe(1);
  });

  it('say when the last backup was made', async () => {
    expect(await figure(app, 'parley_backup_last_success_timestamp_seconds')).toBe(0);
    const context = { signal: new AbortController().signal, report: () => undefined };
    const before = Math.floor(clock.nowMs() / 1000);
    await app.get(BackupService).create({ target: join(folder, 'backup') }, context as never);
    const made = await figure(app, 'parley_backup_last_success_timestamp_seconds');
    expect(made).toBeGreaterThanOrEqual(before);
    expect(made).toBeLessThanOrEqual(clock.nowMs() / 1000);
  });

  it('count mails that were sent, that were refused, and that wait', async () => {
    const attempts = (outcome: string) => figure(app, `parley_mail_attempts_total{outcome="${outcome}"}`);
    const { olivia } = app.cast;
    const invite = async (address: string) =>
      expectSuccess(await app.as(olivia).post('/invites', { invitee_emails: address, stream_ids: [] }));
    expect(await attempts('failed')).toBe(0);
    await invite('ada@example.com');
    await app.get(Jobs).runDue();
    expect(await attempts('failed')).toBe(1);
    expect(await figure(app, 'parley_mail_waiting')).toBe(1);
    // Refused for good, so this one is not tried again.
    await invite('bea@example.com');
    await app.get(Jobs).runDue();
    expect(await attempts('failed')).toBe(2);
    expect(await attempts('sent')).toBe(0);
    clock.aheadMs += 60_000;
    await app.get(Jobs).runDue();
    expect(await attempts('sent')).toBe(1);
    expect(await figure(app, 'parley_mail_waiting')).toBe(0);
    expect(mail.mails.map(({ to }) => to)).toEqual([['ada@example.com']]);
  });

  it('say when the database has other tables, and that nothing leaves a restored server', async () => {
    expect(await figure(app, 'parley_quarantined')).toBe(0);
    await app.writeRows(async (tx) => {
      await tx.query(`INSERT INTO migrations (timestamp, name) VALUES (1, 'FromTheFuture1')`);
      await writeState(tx, 'oldest_release', '99.0.0');
      await beginQuarantine(tx, 'it was restored');
    });
    expect(await figure(app, 'parley_ready')).toBe(0);
    expect(await figure(app, 'parley_schema_info{schema="FromTheFuture1"}')).toBe(1);
    await app.writeRows((tx) => tx.query(`DELETE FROM migrations WHERE name = 'FromTheFuture1'`));
    await app.get(Jobs).onApplicationBootstrap();
    expect(await figure(app, 'parley_quarantined')).toBe(1);
  });

  /** What the text after `# TYPE` names, with the series of histograms. */
  async function namesAt(server: TestApp): Promise<Set<string>> {
    const text = await metricsOf(server);
    const types = [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)] as unknown as [string, string, string][];
    const histograms = types.filter(([, , type]) => type === 'histogram').map(([, name]) => name);
    return new Set([
      ...types.map(([, name]) => name),
      ...histograms.flatMap((name) => [`${name}_bucket`, `${name}_sum`, `${name}_count`]),
    ]);
  }

  it('are those that the alert rules and the dashboard name', async () => {
    const expressions = [...ruleExpressions(), ...panelExpressions()];
    expect(expressions.length).toBeGreaterThan(40);
    const there = await namesAt(app);
    // Prometheus itself makes `up`.
    const named = new Set(expressions.flatMap(metricsIn).filter((name) => name !== 'up'));
    const missing = [...named].filter((name) => !there.has(name));
    expect(missing).toEqual(isOnPostgres ? [] : ['parley_redis_up']);
    const labels = /(?:\{|,)\s*(\w+)\s*=/g;
    const filters = expressions.flatMap((each) => [...each.matchAll(labels)].map(([, label]) => label));
    expect([...new Set(filters)].sort()).toEqual(['instance', 'job', 'outcome', 'status']);
  });
});

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

const rules = (): Rule[] =>
  parse(readFileSync(join(OPS, 'prometheus/alerts.yml'), 'utf8')).groups.flatMap(
    (group: { rules: Rule[] }) => group.rules,
  );

const ruleExpressions = () => rules().map(({ expr }) => expr);

/** Expressions of the dashboard, with values in place of its variables. */
function panelExpressions(): string[] {
  const { panels } = JSON.parse(readFileSync(join(OPS, 'grafana/parley.json'), 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  return panels.flatMap(({ targets }) =>
    targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.+')),
  );
}

/** Names in an expression that are neither labels nor functions nor words of the language. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/\b(by|without)\s*\([^)]*\)/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ');
  return [...bare.matchAll(/\b[a-zA-Z_]\w*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !['and', 'or', 'unless', 'sum', 'min', 'max', 'count'].includes(name));
}

describe('the files in ops', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-rules-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const accepted = { status: 0, stderr: '' };
  const outcome = (...args: string[]) => {
    const { status, stderr, stdout } = promtool(...args);
    return { status, stderr: status === 0 ? '' : stderr + stdout };
  };

  withPromtool('have rules that Prometheus accepts, which fire when they should and only then', () => {
    expect(outcome('check', 'rules', join(OPS, 'prometheus/alerts.yml'))).toEqual(accepted);
    expect(outcome('test', 'rules', join(OPS, 'prometheus/alerts.test.yml'))).toEqual(accepted);
  });

  it('try each alert', () => {
    const tests = readFileSync(join(OPS, 'prometheus/alerts.test.yml'), 'utf8');
    const names = rules().map(({ alert }) => alert);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(tests))).toEqual([]);
  });

  withPromtool('have a dashboard whose expressions Prometheus accepts', () => {
    const recorded = panelExpressions().map((expr, at) => ({ record: `panel_${at}`, expr }));
    const file = join(folder, 'panels.yml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules: recorded }] }));
    expect(outcome('check', 'rules', file)).toEqual(accepted);
  });
});
