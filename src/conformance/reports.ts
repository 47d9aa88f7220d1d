import type { CheckResult, ConformanceReport } from './conformance';

const MARKS = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const;

/** A line about one check for people, with the reason if it did not pass. */
export function resultLine({ check, outcome, explanation }: CheckResult): string {
  const line = `${MARKS[outcome]}  ${check.topic}: ${check.name}`;
  if (outcome === 'passed') return line;
  const why = outcome === 'failed' ? `\n      Why it matters: ${check.reason}` : '';
  return `${line}\n      ${explanation ?? ''}${why}`;
}

/** Number of checks by outcome. */
export function countsOf({ results }: ConformanceReport): Record<CheckResult['outcome'], number> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { outcome } of results) counts[outcome]++;
  return counts;
}

/** The report as JSON, for programs. */
export function jsonReport(report: ConformanceReport): object {
  return {
    url: report.url,
    feature_level: report.level,
    ...countsOf(report),
    left_over: report.leftOver,
    checks: report.results.map(({ check, outcome, explanation, seconds }) => ({
      topic: check.topic,
      name: check.name,
      reason: check.reason,
      outcome,
      explanation: explanation ?? null,
      seconds: Number(seconds.toFixed(3)),
    })),
  };
}

/** The report in JUnit format, for continuous integration. */
export function junitReport(report: ConformanceReport): string {
  const { failed, skipped } = countsOf(report);
  const topics = [...new Set(report.results.map(({ check }) => check.topic))];
  const suites = topics.map((topic) =>
    suiteOf(
      topic,
      report.results.filter(({ check }) => check.topic === topic),
    ),
  );
  const counts = `tests="${report.results.length}" failures="${failed}" skipped="${skipped}" time="${timeOf(report.results)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="conformance" ${counts}>\n${suites.join('')}</testsuites>\n`;
}

function suiteOf(topic: string, results: readonly CheckResult[]): string {
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length;
  const counts = `tests="${results.length}" failures="${count('failed')}" skipped="${count('skipped')}" time="${timeOf(results)}"`;
  return `  <testsuite name="${escaped(topic)}" ${counts}>\n${results.map(caseOf).join('')}  </testsuite>\n`;
}

function caseOf({ check, outcome, explanation = '', seconds }: CheckResult): string {
  const head = `    <testcase classname="${escaped(check.topic)}" name="${escaped(check.name)}" time="${seconds.toFixed(3)}"`;
  if (outcome === 'passed') return `${head}/>\n`;
  const inner =
    outcome === 'failed'
      ? `<failure message="${escaped(explanation)}">${escaped(check.reason)}</failure>`
      : `<skipped message="${escaped(explanation)}"/>`;
  return `${head}>${inner}</testcase>\n`;
}

function timeOf(results: readonly CheckResult[]): string {
  return results.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3);
}

/** Characters that XML allows neither literally nor as references. */
const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function escaped(text: string): string {
  return text
    .replace(FORBIDDEN, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
}
