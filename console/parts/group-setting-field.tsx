import { useId } from 'preact/hooks';
import { groups, nameOf, people } from '../connection/state';
import { ROLE, type Group, type GroupSetting } from '../connection/records';
import * as words from '../words';
import { Button } from './button';

interface GroupSettingProperties {
  readonly label: string;
  readonly value: GroupSetting;
  readonly onValue: (value: GroupSetting) => void;
  readonly hint?: string;
  readonly disabled?: boolean;
}

/** A name that people know a group by. */
export function groupName(group: Group | undefined): string {
  if (!group) return words.groups.unknown;
  return words.groups.system[group.name as keyof typeof words.groups.system] ?? group.name;
}

const partsOf = (value: GroupSetting) =>
  typeof value === 'number' ? { direct_members: [], direct_subgroups: [value] } : value;

/** One group alone is sent as such: the server keeps it so, too. */
function valueOf(members: readonly number[], subgroups: readonly number[]): GroupSetting {
  const [only] = subgroups;
  return members.length === 0 && subgroups.length === 1
    ? only!
    : { direct_members: members, direct_subgroups: subgroups };
}

/** The roles that the groups of roles hold, those below them included. */
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

/** Whether a role's group is empty, or already contains everyone selected beside it. */
function isPointless(group: Group | undefined, added: readonly number[]): boolean {
  if (group?.name === 'role:nobody') return true;
  const lowest = LOWEST_ROLE[group?.name ?? ''] ?? 0;
  return lowest > 0 && added.every((id) => (people.value.get(id)?.role ?? Infinity) <= lowest);
}

/** Who may do something: groups and people, each of which can be taken away, and a list of those to add. */
export function GroupSettingField({ label, value, onValue, hint, disabled }: GroupSettingProperties) {
  const id = useId();
  const { direct_members: members, direct_subgroups: subgroups } = partsOf(value);
  const drop = (kind: 'user' | 'group', gone: number) =>
    onValue(
      valueOf(
        members.filter((each) => kind === 'group' || each !== gone),
        subgroups.filter((each) => kind === 'user' || each !== gone),
      ),
    );
  const add = (chosen: string) => {
    const number = Number(chosen.slice(1));
    const isPerson = chosen.startsWith('u');
    // A group of everybody with a role stands in place of what was there; others are added.
    if (!isPerson && groups.value.get(number)?.is_system_group) return onValue(number);
    // Selecting a user who is already in the selected role, or beside `role:nobody`, means only that user.
    const added = isPerson ? [number] : everybodyIn(number);
    const rest = subgroups.filter((each) => !isPointless(groups.value.get(each), added));
    return onValue(isPerson ? valueOf([...members, number], rest) : valueOf(members, [...rest, number]));
  };
  const offered = [...groups.value.values()].filter(
    (group) => !group.deactivated && !subgroups.includes(group.id) && group.name !== 'role:internet',
  );
  const offeredPeople = [...people.value.values()].filter(
    (person) => person.is_active && !members.includes(person.user_id),
  );
  const chip = (kind: 'user' | 'group', chipId: number, name: string) => (
    <li key={`${kind}${chipId}`} class="chip">
      {name}
      {!disabled && members.length + subgroups.length > 1 && (
        <Button kind="quiet" icon="close" label={words.remove(name)} onClick={() => drop(kind, chipId)} />
      )}
    </li>
  );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="group-setting">
        <ul class="chips">
          {subgroups.map((each) => chip('group', each, groupName(groups.value.get(each))))}
          {members.map((each) => chip('user', each, nameOf(each)))}
        </ul>
        <select
          id={id}
          value=""
          disabled={disabled}
          aria-describedby={hint && `${id}-hint`}
          onChange={({ currentTarget }) => add(currentTarget.value)}
        >
          <option value="">{words.groups.change}</option>
          <optgroup label={words.groups.roles}>
            {offered.filter((group) => group.is_system_group).map(groupOption)}
          </optgroup>
          <optgroup label={words.groups.groups}>
            {offered.filter((group) => !group.is_system_group).map(groupOption)}
          </optgroup>
          <optgroup label={words.groups.people}>
            {offeredPeople.map((person) => (
              <option key={person.user_id} value={`u${person.user_id}`}>
                {person.full_name}
              </option>
            ))}
          </optgroup>
        </select>
      </div>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

const groupOption = (group: Group) => (
  <option key={group.id} value={`g${group.id}`}>
    {groupName(group)}
  </option>
);
