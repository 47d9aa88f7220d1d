import type { ComponentChildren } from 'preact';
import { groups, nameOf, people } from '../connection/state';
import { ROLE, type Group, type GroupSetting } from '../connection/records';
import * as words from '../words';
import { Button } from './button';
import { Framed, type FieldProperties } from './field';
import { Picker, type Pick } from './picker';
import { isRoleAllowed, type PermissionRule } from './setting-table';

interface ChosenProperties extends FieldProperties {
  readonly disabled?: boolean | undefined;
  readonly placeholder: string;
  readonly picks: () => readonly Pick[];
  readonly onPick: (id: string) => void;
  /** Chosen items: key, name, and a callback for removing it, if allowed. */
  readonly chosen: readonly {
    readonly key: string;
    readonly name: ComponentChildren;
    readonly label: string;
    readonly onDrop?: (() => void) | undefined;
  }[];
}

/** Removes an item. Its button disappears, so the field gets the focus. */
function drop(onDrop: () => void, id: string): void {
  onDrop();
  document.getElementById(id)?.focus();
}

/** Chosen items with buttons to remove them, and a field to add more. */
export function ChosenField({ chosen, disabled, placeholder, picks, onPick, ...field }: ChosenProperties) {
  return (
    <Framed
      {...field}
      control={({ id, 'aria-describedby': described, 'aria-invalid': isInvalid }) => (
        <div class="group-setting">
          <ul
            id={disabled ? id : `${id}-chosen`}
            class="chips"
            aria-label={disabled ? field.label : undefined}
          >
            {chosen.map(({ key, name, label, onDrop }) => (
              <li key={key} class="chip">
                {name}
                {!disabled && onDrop && (
                  <Button
                    kind="quiet"
                    icon="close"
                    label={words.remove(label)}
                    onClick={() => drop(onDrop, id)}
                  />
                )}
              </li>
            ))}
          </ul>
          {!disabled && (
            <Picker
              {...{ id, placeholder, picks, onPick, isInvalid }}
              label={field.label}
              describedBy={[`${id}-chosen`, described].filter(Boolean).join(' ')}
            />
          )}
        </div>
      )}
    />
  );
}

interface GroupSettingProperties extends FieldProperties {
  readonly value: GroupSetting;
  readonly onValue: (value: GroupSetting) => void;
  readonly disabled?: boolean | undefined;
  readonly rule?: PermissionRule | undefined;
}

/** The display name of a group. */
export function groupName(group: Group | undefined): string {
  if (!group) return words.groups.unknown;
  return words.groups.system[group.name as keyof typeof words.groups.system] ?? group.name;
}

const partsOf = (value: GroupSetting) =>
  typeof value === 'number' ? { direct_members: [], direct_subgroups: [value] } : value;

/** A single group is sent as its ID, as the server stores it. */
function valueOf(members: readonly number[], subgroups: readonly number[]): GroupSetting {
  const [only] = subgroups;
  return members.length === 0 && subgroups.length === 1
    ? only!
    : { direct_members: members, direct_subgroups: subgroups };
}

/** The lowest role in each system group of a role. */
const LOWEST_ROLE: Readonly<Record<string, number>> = {
  'role:internet': ROLE.guest,
  'role:everyone': ROLE.guest,
  'role:members': ROLE.member,
  'role:moderators': ROLE.moderator,
  'role:administrators': ROLE.administrator,
  'role:owners': ROLE.owner,
};

function everybodyIn(groupId: number): readonly number[] {
  const group = groups.value.get(groupId);
  return group ? [...group.members, ...group.direct_subgroup_ids.flatMap(everybodyIn)] : [];
}

/** Whether a role's group is empty, or already includes all added users. */
function isPointless(group: Group | undefined, added: readonly number[]): boolean {
  if (group?.name === 'role:nobody') return true;
  const lowest = LOWEST_ROLE[group?.name ?? ''] ?? 0;
  return lowest > 0 && added.every((id) => (people.value.get(id)?.role ?? Infinity) <= lowest);
}

/** Holders of a permission, groups and people, with buttons to remove them and a field to add more. */
export function GroupSettingField({ value, onValue, disabled, rule, ...field }: GroupSettingProperties) {
  const { direct_members: members, direct_subgroups: subgroups } = partsOf(value);
  const nobody = [...groups.value.values()].find(({ name }) => name === 'role:nobody')?.id;
  const isLast = members.length + subgroups.length === 1;
  // Removing the last holder means `role:nobody`, if that is allowed.
  const mayDrop = isLast ? isRoleAllowed(rule, 'role:nobody') && subgroups[0] !== nobody : true;
  const drop = (kind: 'user' | 'group', gone: number) => () => {
    if (isLast) return onValue(nobody!);
    onValue(
      valueOf(
        members.filter((each) => kind === 'group' || each !== gone),
        subgroups.filter((each) => kind === 'user' || each !== gone),
      ),
    );
  };
  const add = (chosen: string) => {
    const number = Number(chosen.slice(1));
    const isPerson = chosen.startsWith('u');
    // The group of a role replaces all other holders; other groups are added.
    if (!isPerson && groups.value.get(number)?.is_system_group) return onValue(number);
    // Adding a user whose role's group is selected, or to `role:nobody`, keeps only the user.
    const added = isPerson ? [number] : everybodyIn(number);
    const rest = subgroups.filter((each) => !isPointless(groups.value.get(each), added));
    return onValue(isPerson ? valueOf([...members, number], rest) : valueOf(members, [...rest, number]));
  };
  const picks = (): readonly Pick[] => {
    const offered = [...groups.value.values()].filter(
      (group) => !group.deactivated && !subgroups.includes(group.id),
    );
    const picked = (group: Group, heading: string): Pick => ({
      id: `g${group.id}`,
      label: groupName(group),
      group: heading,
    });
    const roles = offered.filter((group) => group.is_system_group && isRoleAllowed(rule, group.name));
    if (rule?.require_system_group) return roles.map((group) => picked(group, words.groups.roles));
    const byLabel = (one: Pick, other: Pick) => one.label.localeCompare(other.label);
    return [
      ...roles.map((group) => picked(group, words.groups.roles)),
      ...offered
        .filter((group) => !group.is_system_group)
        .map((group) => picked(group, words.groups.groups))
        .sort(byLabel),
      ...[...people.value.values()]
        .filter((person) => person.is_active && !members.includes(person.user_id))
        .map((person) => ({ id: `u${person.user_id}`, label: person.full_name, group: words.groups.people }))
        .sort(byLabel),
    ];
  };
  const chip = (kind: 'user' | 'group', id: number, label: string) => ({
    key: `${kind}${id}`,
    name: <bdi>{label}</bdi>,
    label,
    onDrop: mayDrop ? drop(kind, id) : undefined,
  });
  return (
    <ChosenField
      {...field}
      {...{ disabled, picks }}
      placeholder={rule?.require_system_group ? words.groups.chooseRole : words.groups.choose}
      onPick={add}
      chosen={[
        ...subgroups.map((each) => chip('group', each, groupName(groups.value.get(each)))),
        ...members.map((each) => chip('user', each, nameOf(each))),
      ]}
    />
  );
}
