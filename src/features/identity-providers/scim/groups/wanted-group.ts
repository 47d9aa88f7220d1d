import { type AttributeChange, textValue } from '../protocol/changes';
import { memberOf } from '../protocol/filter';
import type { Filter } from '../protocol/filter';
import { InvalidFilter, InvalidValue, NotForDirectories } from '../protocol/scim.api';
import { isObject } from '../../../../platform/collections';

/** The desired state of a group; starts with the current one. */
export interface WantedGroup {
  name: string;
  externalId: string | null;
  readonly members: Set<number>;
}

/** Maximum members in one request. */
const MAX_NAMED = 20_000;

/**
 * Applies the changes in order, and ignores unsupported attributes.
 * @returns whether any attribute is supported
 * @throws InvalidValue, NotForDirectories
 */
export function applyToGroup(wanted: WantedGroup, changes: readonly AttributeChange[]): boolean {
  return changes.filter((change) => apply(wanted, change)).length > 0;
}

function apply(wanted: WantedGroup, change: AttributeChange): boolean {
  const { op, attribute, value } = change;
  switch (attribute) {
    case 'displayname':
      if (op === 'remove') throw new NotForDirectories('displayName can be replaced, but not removed.');
      wanted.name = textValue('displayName', value);
      return true;
    case 'externalid':
      wanted.externalId =
        op === 'remove' || value === null || value === '' ? null : textValue('externalId', value);
      return true;
    case 'members':
      applyToMembers(wanted.members, change);
      return true;
    case 'id':
    case 'schemas':
      // Some directories send these along with a new name.
      return true;
    default:
      return false;
  }
}

function applyToMembers(members: Set<number>, { op, filter, value }: AttributeChange): void {
  if (op === 'remove') {
    const isNamed = value !== undefined && value !== null;
    const meant = filter === null ? members : new Set(idsIn(filter));
    const named = isNamed ? new Set(memberIds(value)) : meant;
    for (const id of [...meant]) {
      if (named.has(id)) members.delete(id);
    }
    return;
  }
  if (op === 'replace' && filter === null) members.clear();
  for (const id of memberIds(value)) members.add(id);
}

/**
 * The members in a filter. Supports only the filters that directories use; others would scan all members for each
 * operation. @throws InvalidFilter
 */
function idsIn(filter: Filter): number[] {
  if (filter.kind === 'or') return filter.parts.flatMap((part) => idsIn(part));
  if (filter.kind === 'compare' && filter.path === 'value' && filter.by === 'eq')
    return memberIds([filter.to]);
  throw new InvalidFilter('members are named as in members[value eq "1"]');
}

/** The IDs of members, from a list of objects, one object, or plain IDs. */
function memberIds(value: unknown): number[] {
  const values: unknown[] = Array.isArray(value) ? value : [value ?? []].flat();
  if (values.length > MAX_NAMED) throw new InvalidValue(`At most ${MAX_NAMED} members are named at once.`);
  return values.map((each) => {
    const id = isObject(each) ? memberOf(each, 'value') : each;
    const text = typeof id === 'number' ? String(id) : id;
    if (typeof text !== 'string' || !/^\d{1,9}$/.test(text)) {
      throw new InvalidValue('members.value must be the ID of a user.');
    }
    return Number(text);
  });
}
