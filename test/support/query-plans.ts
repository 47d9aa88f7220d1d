import { type Client, escapeLiteral } from 'pg';
import type { SqliteConnection } from '../../src/platform/database/sqlite/sqlite-driver';
import { NumberList } from '../../src/platform/database/query-runner';
import { TABLE_NAMES } from './database-content';
import type { RanStatement } from './database-tally';

/** Maximum number of rows of a table that a statement may read, whatever the size of the organization. */
export const MOST_ROWS = 1_500;

/** Statements that have a plan. */
const PLANNED = /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/;
/** Statements that cannot be repeated for inspection. */
const WRITES = /\b(INSERT INTO|UPDATE [\w"]+ SET|DELETE FROM|pg_advisory\w*)\b/;

/** Reports the parts of a statement that grow with tables of more than {@link MOST_ROWS} rows. */
export type PlanReader = (statement: RanStatement) => Promise<string[]>;

/** A node in the output of `EXPLAIN (FORMAT JSON)`. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Checks both plans that PostgreSQL may use, for these values and generic ones. Read-only statements are run, and the
 * rows that they read are counted; in all others, no large table may be scanned.
 */
export async function postgresPlans(client: Client): Promise<PlanReader> {
  const large = await largeTables('postgres', async (sql) => (await client.query<object>(sql)).rows);
  return async ({ text, values }) => {
    if (!PLANNED.test(text)) return [];
    const isRun = !WRITES.test(text);
    const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
    const complaints: string[] = [];
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`BEGIN; SET LOCAL plan_cache_mode = ${mode}; PREPARE looked_at AS ${text}`);
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (FORMAT JSON, ANALYZE ${isRun}) EXECUTE looked_at${given}`,
      );
      await client.query('ROLLBACK; DEALLOCATE looked_at');
      const [plan] = rows.flatMap((row) => row['QUERY PLAN']);
      const found = plan
        ? nodesOf(plan.Plan).flatMap((node) => postgresComplaint(node, large, isRun) ?? [])
        : [];
      complaints.push(...found.map((complaint) => `${complaint} (${mode})`));
    }
    return complaints;
  };
}

/** SQLite reports only full scans. */
export async function sqlitePlans(connection: SqliteConnection): Promise<PlanReader> {
  const large = await largeTables('sqlite', async (sql) => connection.prepare(sql).all());
  return async ({ text, values }) => {
    if (!PLANNED.test(text)) return [];
    const plan = connection.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values);
    const lines = plan.map(({ detail }) => String(detail));
    return [...large]
      .filter((table) => readsAll(lines, namesOf(table, text)))
      .map((table) => `reads all of ${table}`);
  };
}

/** Whether a table is scanned, as opposed to a subquery of the same name or the result of a text index. */
function readsAll(plan: readonly string[], names: readonly string[]): boolean {
  return names.some((name) => {
    const count = (pattern: string) => plan.filter((line) => new RegExp(pattern).test(line)).length;
    // A text index with a search term, or a list of its words with a starting point.
    const scans = count(`^SCAN ${name}\\b(?! VIRTUAL TABLE INDEX (\\d+:.*[M=]|\\d{3,}:))`);
    return scans > count(`^(CO-ROUTINE|MATERIALIZE) ${name}$`);
  });
}

/** The aliases of a table in a statement. */
function namesOf(table: string, text: string): string[] {
  const others = text.matchAll(new RegExp(`\\b${table}"? (?:AS )?"?(\\w+)`, 'g'));
  return [table, ...Array.from(others, ([, name = '']) => name)];
}

function postgresComplaint(node: PlanNode, large: ReadonlySet<string>, isRun: boolean): string | null {
  const { 'Relation Name': table = '', 'Index Name': index = '', 'Node Type': type } = node;
  const isGathered = type === 'Bitmap Index Scan';
  if (!isGathered && !large.has(table)) return null;
  if (!isRun) return type === 'Seq Scan' ? `reads all of ${table}` : null;
  const each =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  const rows = each * (node['Actual Loops'] ?? 1);
  return rows > MOST_ROWS ? `looks at ${rows} rows of ${isGathered ? index : table} by ${type}` : null;
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

async function largeTables(
  engine: keyof typeof TABLE_NAMES,
  query: (sql: string) => Promise<object[]>,
): Promise<ReadonlySet<string>> {
  const large = new Set<string>();
  for (const { name } of (await query(TABLE_NAMES[engine])) as { name: string }[]) {
    const [row] = (await query(`SELECT COUNT(*) AS count FROM "${name}"`)) as { count: number | string }[];
    if (Number(row?.count) > MOST_ROWS) large.add(name);
  }
  return large;
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (Array.isArray(value)) return escapeLiteral(`{${value.map((each) => JSON.stringify(each)).join(',')}}`);
  if (value instanceof NumberList) return escapeLiteral(value.toPostgres());
  if (Buffer.isBuffer(value)) return escapeLiteral(`\\x${value.toString('hex')}`);
  return escapeLiteral(typeof value === 'string' ? value : JSON.stringify(value));
}
