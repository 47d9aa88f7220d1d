import type { Group } from '../connection/records';
import { groupName } from '../parts/group-setting-field';
import { ROOT } from '../router';
import * as words from '../words';
import { BOX, drawingOf } from './layout';

/** Draws groups as boxes, with lines to their subgroups. */
export function GroupGraph({ groups }: { readonly groups: readonly Group[] }) {
  const { placed, nestings, width, height } = drawingOf(groups);
  const middle = BOX.height / 2;
  return (
    <div class="table" role="region" aria-label={words.groups.graph} tabIndex={0}>
      <svg class="graph" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {nestings.map(({ from, to }) => {
          const [startX, startY, endX, endY] = [from.x + BOX.width, from.y + middle, to.x, to.y + middle];
          const bend = (endX - startX) / 2;
          return (
            <path
              key={`${from.group.id} ${to.group.id}`}
              d={`M${startX} ${startY}c${bend} 0 ${bend} ${endY - startY} ${endX - startX} ${endY - startY}`}
            />
          );
        })}
        {placed.map(({ group, x, y }) => (
          <foreignObject key={group.id} x={x} y={y} width={BOX.width} height={BOX.height}>
            <a class={`box ${group.is_system_group ? 'role' : ''}`} href={`${ROOT}/groups/${group.id}`}>
              <span class="name">{groupName(group)}</span>
              <span class="count">{group.members.length}</span>
            </a>
          </foreignObject>
        ))}
      </svg>
    </div>
  );
}
