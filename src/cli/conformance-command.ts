import { writeFileSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import { amount, secretFromStandardInput } from './output';

/** Exit code if a check failed, or the run could not start. */
const FAILED = 1;

interface ConformanceCommandOptions {
  readonly url?: string;
  readonly owner?: string;
  readonly ownerKey?: string;
  readonly only?: string;
  readonly list?: boolean;
  readonly json?: string;
  readonly junit?: string;
}

/** The command that tests any server of the interface over HTTP. */
export function addConformanceCommand(program: Command): void {
  const command = program
    .command('conformance')
    .description('test any Zulip-compatible server over HTTP')
    .option('--url <url>', 'address of the organization', addressOf)
    .option('--owner <email>', 'address of an owner')
    .option('--owner-key <key>', 'API key of the owner; - reads it from standard input')
    .option('--only <text>', 'only checks with this text in their topic or name')
    .option('--list', 'list checks and reasons without running any')
    .option('--json <file>', 'write the report as JSON')
    .option('--junit <file>', 'write the report as JUnit XML')
    .addHelpText(
      'after',
      '\nIt creates a bot, a person (if allowed), channels and groups, and removes them at the end; use an\n' +
        'organization for tests nevertheless. Exit codes: 0 nothing failed; 1 a check failed, or it could not begin.\n' +
        'docs/conformance.md says what the checks are.',
    )
    .action(async (options: ConformanceCommandOptions) => {
      const { url, owner, ownerKey, list } = options;
      if (list) return listChecks(options);
      if (url === undefined || owner === undefined || ownerKey === undefined)
        return command.error('error: --url, --owner and --owner-key are needed');
      const apiKey = ownerKey === '-' ? await secretFromStandardInput() : ownerKey;
      await runChecks({ ...options, url, owner, apiKey });
    });
}

async function listChecks({ only }: ConformanceCommandOptions): Promise<void> {
  const { checksFor } = await import('../conformance/conformance.js');
  for (const { topic, name, reason } of checksFor(only)) {
    process.stdout.write(`${topic}: ${name}\n      ${reason}\n`);
  }
}

async function runChecks({
  url,
  owner,
  apiKey,
  only,
  json,
  junit,
}: ConformanceCommandOptions & { url: string; owner: string; apiKey: string }): Promise<void> {
  const { checksFor, examine } = await import('../conformance/conformance.js');
  const { countsOf, jsonReport, junitReport, resultLine } = await import('../conformance/reports.js');
  const onResult = (result: Parameters<typeof resultLine>[0]) =>
    void process.stdout.write(`${resultLine(result)}\n`);
  try {
    const report = await examine({
      url,
      email: owner,
      apiKey,
      checks: checksFor(only),
      signal: interrupted(),
      onResult,
    });
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(jsonReport(report), null, 2)}\n`);
    if (junit !== undefined) writeFileSync(junit, junitReport(report));
    const { passed, failed, skipped } = countsOf(report);
    process.stdout.write(
      `\n${amount(report.results.length, 'check')}: ${passed} passed, ${failed} failed, ${skipped} skipped.\n`,
    );
    for (const left of report.leftOver) process.stderr.write(`Could not be taken back: ${left}\n`);
    if (failed > 0 || report.results.length === 0 || report.isCutShort) process.exitCode = FAILED;
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    process.stderr.write(`${message}${cause instanceof Error ? `: ${cause.message}` : ''}\n`);
    process.exitCode = FAILED;
  }
}

/** The first Ctrl-C ends the run after the current check and cleans up; the second ends it immediately. */
function interrupted(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  return controller.signal;
}

function addressOf(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('Must start with http:// or https://.');
  return text;
}
