import { call } from '../connection/call';
import { channels, groups, me, myId } from '../connection/state';
import { ROOT } from '../router';
import * as words from '../words';
import { useFetched } from './task';

/** What rights are about, in the words of the page "Why?": nothing is the organization. */
export type RightsTo = '' | `channel=${number}` | `group=${number}`;

/** Whether the reader may do something, by the names of `GET /permissions/actions`; undefined until it is known. */
export type Rights = (action: string) => boolean | undefined;

/**
 * What the reader may do, as the server explains it: forms are of use to those alone whom it does not refuse.
 * @param about null where there is nothing
 */
export function useRights(about: RightsTo | null): Rights {
  const read = async () => {
    if (about === null) return null;
    const [kind, id] = about.split('=');
    const object = id && { [`${kind}_id`]: Number(id) };
    const parameters = { user_id: myId.value, ...object };
    return call<{ actions: { action: string; allowed: boolean }[] }>(
      'GET',
      'permissions/actions',
      parameters,
    );
  };
  const { value } = useFetched(read, [about, groups.value, channels.value, me.value]);
  return (name) => value?.actions.some(({ action, allowed }) => allowed && action === name);
}

/** Explains that a change needs a permission that the reader lacks. */
export function NotAllowed({ about, action }: { readonly about: RightsTo; readonly action: string }) {
  return (
    <p class="note">
      {words.notAllowed} <a href={`${ROOT}/why?${about}&action=${action}`}>{words.why.title}</a>
    </p>
  );
}
