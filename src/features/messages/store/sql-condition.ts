import type { SqlValue } from '../../../platform/sql/queryable';

/** A piece of SQL that stands where a condition may, with the values of its placeholders. */
export interface SqlCondition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A condition that nothing fulfils. */
export const NEVER: SqlCondition = { sql: '1 = 0', values: [] };

/** A condition with its parameters in the order of the question marks. */
export function condition(sql: string, ...values: readonly SqlValue[]): SqlCondition {
  return { sql, values };
}

/** What is not true, unknown included: a direct message is not in any channel. */
export function not({ sql, values }: SqlCondition): SqlCondition {
  return { sql: `(${sql}) IS NOT TRUE`, values };
}

/** A condition that is fulfilled where any of these is; never, where there are none. */
export function anyOf(...conditions: readonly SqlCondition[]): SqlCondition {
  return joined(conditions, ' OR ');
}

/** True when there are none. */
export function allOf(...conditions: readonly SqlCondition[]): SqlCondition {
  return conditions.length === 0 ? condition('1 = 1') : joined(conditions, ' AND ');
}

function joined(conditions: readonly SqlCondition[], operator: string): SqlCondition {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(operator),
    values: conditions.flatMap(({ values }) => values),
  };
}
