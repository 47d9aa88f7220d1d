import { call } from '../connection/call';
import { channels, groups, me, myId } from '../connection/state';
import { ROOT } from '../router';
import * as words from '../words';
import { useFetched } from './task';

/** The object of a permission, in the page "Why?"'s terms; empty means the organization. */
export type RightsTo = '' | `channel=${number}` | `group=${number}`;

/** Whether the user may perform an action of `GET /permissions/actions`; undefined until loaded. */
export type Rights = (action: string) => boolean | undefined;

/**
 * The user's permissions according to the server, for showing forms only to users who may use them.
 * @param about null if there is no object
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

/** Explains that a change needs a permission that the user lacks. */
export function NotAllowed({ about, action }: { readonly about: RightsTo; readonly action: string }) {
  return (
    <p class="note">
      {words.notAllowed} <a href={`${ROOT}/why?${about}&action=${action}`}>{words.why.title}</a>
    </p>
  );
}
