import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import type { Group } from '../connection/records';
import { groups, organization } from '../connection/state';
import { Action } from '../parts/action';
import { Button } from '../parts/button';
import { SelectField } from '../parts/field';
import { groupName } from '../parts/group-setting-field';
import { Members } from '../parts/members';
import { NotFound, Page } from '../parts/page';
import { Problem } from '../parts/problem';
import { NotAllowed, type Rights, useRights } from '../parts/rights';
import type { ScreenProperties } from '../parts/screen';
import { Setting } from '../parts/setting';
import type { PermissionRule, SettingEntry } from '../parts/setting-table';
import { chosenTab, Tabs } from '../parts/tabs';
import { useTask } from '../parts/task';
import { ROOT } from '../router';
import * as words from '../words';
import { SETTINGS } from './settings';
import { settings as texts } from './words';

const { tabs } = words.groups;

const change = (group: Group, changes: Readonly<Record<string, unknown>>) =>
  call('POST', `user_groups/${group.id}/members`, changes);

/** Subgroups, whose members are also members of the group. */
function Subgroups({ group, may }: { readonly group: Group; readonly may: Rights }) {
  const [chosen, setChosen] = useState('');
  const task = useTask();
  const offered = [...groups.value.values()].filter(
    (each) => !each.deactivated && each.id !== group.id && !group.direct_subgroup_ids.includes(each.id),
  );
  return (
    <>
      <h2>{words.groups.inside}</h2>
      <ul class="chips">
        {group.direct_subgroup_ids.map((id) => (
          <li key={id} class="chip">
            <a href={`${ROOT}/groups/${id}`}>{groupName(groups.value.get(id))}</a>
            {may('remove_subgroups') && (
              <Button
                kind="quiet"
                icon="close"
                label={words.remove(groupName(groups.value.get(id)))}
                onClick={() => void task.run(() => change(group, { delete_subgroups: [id] }))}
              />
            )}
          </li>
        ))}
      </ul>
      {may('add_subgroups') && (
        <form
          class="row"
          onSubmit={() => {
            void task.run(
              async () => void (await change(group, { add_subgroups: [Number(chosen)] }), setChosen('')),
            );
          }}
        >
          <SelectField
            label={words.groups.addInside}
            value={chosen}
            choices={[
              { value: '', label: words.groups.change },
              ...offered.map((each) => ({ value: String(each.id), label: groupName(each) })),
            ]}
            onValue={setChosen}
          />
          <Button kind="main" type="submit" disabled={task.isBusy || chosen === ''}>
            {words.add}
          </Button>
        </form>
      )}
      <Problem text={task.error} />
    </>
  );
}

interface SettingsProperties {
  readonly group: Group;
  readonly part: string;
  readonly isAllowed: boolean;
}

/** The group's name and description, or its permissions. */
function GroupSettings({ group, part, isAllowed }: SettingsProperties) {
  const rules = organization.value['server_supported_permission_settings'] as
    Readonly<Record<'group', Readonly<Record<string, PermissionRule>>>> | undefined;
  const values: Readonly<Record<string, unknown>> = { ...group };
  return (
    <div class="sections">
      {SETTINGS[part as keyof typeof SETTINGS].map((entry: SettingEntry<keyof typeof texts>) => (
        <Setting
          key={entry.name}
          entry={entry}
          words={texts[entry.name]}
          now={values[entry.name]}
          save={(changes) => call('PATCH', `user_groups/${group.id}`, changes)}
          isDisabled={!isAllowed}
          rule={rules?.group[entry.name]}
        />
      ))}
    </div>
  );
}

/** One group: members, permissions and settings. */
export function GroupPage({ parameters }: ScreenProperties) {
  const group = groups.value.get(Number(parameters['group']));
  const about = `group=${group?.id ?? 0}` as const;
  const may = useRights(group ? about : null);
  if (!group) return <NotFound />;
  const isFixed = group.is_system_group || group.deactivated;
  const part = isFixed ? 'members' : chosenTab(tabs);
  return (
    <Page
      title={groupName(group)}
      about={group.description}
      actions={
        !group.is_system_group && (
          <>
            <a class="button" href={`${ROOT}/why?group=${group.id}`}>
              {words.why.title}
            </a>
            {!may('deactivate') ? null : group.deactivated ? (
              <Action
                label={words.people.reactivate}
                question={words.groups.reactivateAbout(group.name)}
                run={() => call('PATCH', `user_groups/${group.id}`, { deactivated: false })}
              />
            ) : (
              <Action
                label={words.people.deactivate}
                isDangerous
                question={words.groups.deactivateAbout(group.name)}
                run={() => call('POST', `user_groups/${group.id}/deactivate`)}
              />
            )}
          </>
        )
      }
    >
      {!isFixed && <Tabs label={words.parts} tabs={tabs} />}
      {group.is_system_group ? (
        <p class="note">{words.groups.fixed}</p>
      ) : (
        may('update') === false && <NotAllowed about={about} action="update" />
      )}
      {part === 'members' ? (
        <>
          <Subgroups group={group} may={may} />
          <h2>{words.members.title}</h2>
          <Members
            userIds={group.members}
            about={about}
            may={{
              add: may('add_members'),
              remove: may('remove_members'),
              join: may('join'),
              leave: may('leave'),
            }}
            add={(id) => change(group, { add: [id] })}
            remove={(id) => change(group, { delete: [id] })}
          />
        </>
      ) : (
        <GroupSettings key={`${group.id} ${part}`} {...{ group, part }} isAllowed={may('update') === true} />
      )}
    </Page>
  );
}
