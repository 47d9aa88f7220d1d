import type { Group } from '../connection/records';

export const BOX = { width: 150, height: 34, acrossGap: 46, downGap: 12 } as const;

/** A group and its position in the drawing. */
export interface PlacedGroup {
  readonly group: Group;
  readonly x: number;
  readonly y: number;
}

/** A group and one of its subgroups. */
interface Nesting {
  readonly from: PlacedGroup;
  readonly to: PlacedGroup;
}

/** Positions of groups, and the lines between them. */
export interface Drawing {
  readonly placed: readonly PlacedGroup[];
  readonly nestings: readonly Nesting[];
  readonly width: number;
  readonly height: number;
}

/**
 * Arranges groups in columns: each to the right of all groups that contain it. Within a column, a group is placed as
 * close as possible to those. There are no cycles, because the server refuses them.
 */
export function drawingOf(groups: readonly Group[]): Drawing {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const depths = new Map<number, number>();
  const deepen = (group: Group, depth: number) => {
    if ((depths.get(group.id) ?? -1) >= depth || depth > groups.length) return;
    depths.set(group.id, depth);
    for (const id of group.direct_subgroup_ids) {
      const inner = byId.get(id);
      if (inner) deepen(inner, depth + 1);
    }
  };
  const held = new Set(groups.flatMap(({ direct_subgroup_ids: ids }) => ids));
  for (const group of groups) if (!held.has(group.id)) deepen(group, 0);
  const columns: Group[][] = [];
  for (const group of groups) (columns[depths.get(group.id) ?? 0] ??= []).push(group);
  const places = new Map<number, PlacedGroup>();
  for (const [column, members] of [...columns].entries()) {
    const height = (group: Group) => {
      const holders = groups.filter(({ direct_subgroup_ids: ids }) => ids.includes(group.id));
      const known = holders.flatMap(({ id }) => places.get(id)?.y ?? []);
      return known.length === 0 ? 0 : known.reduce((sum, y) => sum + y, 0) / known.length;
    };
    let free = 1;
    for (const group of [...(members ?? [])].sort((one, other) => height(one) - height(other))) {
      const y = Math.max(free, height(group));
      places.set(group.id, { group, x: 1 + column * (BOX.width + BOX.acrossGap), y });
      free = y + BOX.height + BOX.downGap;
    }
  }
  const placed = [...places.values()];
  const nestings = placed.flatMap((from) =>
    from.group.direct_subgroup_ids.flatMap((id) => {
      const to = places.get(id);
      return to ? [{ from, to }] : [];
    }),
  );
  const most = (read: (each: PlacedGroup) => number) => Math.max(0, ...placed.map(read));
  return {
    placed,
    nestings,
    width: most(({ x }) => x) + BOX.width + 1,
    height: most(({ y }) => y) + BOX.height + 1,
  };
}
