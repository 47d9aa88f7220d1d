import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers are aligned to the end of the column. */
  readonly isNumber?: boolean;
}

interface TableProperties<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** Shown if there are no rows. */
  readonly empty: string;
}

/** A table that scrolls if the window is too narrow. Cells of the first column are row headers. */
export function Table<Row>({ label, columns, rows, keyOf, empty }: TableProperties<Row>) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <div class="table" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ heading, isNumber }) => (
              <th scope="col" class={isNumber ? 'number' : undefined}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ cell, isNumber }, index) =>
                index === 0 ? (
                  <th scope="row">{cell(row)}</th>
                ) : (
                  <td class={isNumber ? 'number' : undefined}>{cell(row)}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
