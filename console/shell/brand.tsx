import { organizationText } from '../connection/state';
import { Icon } from '../parts/icon';
import { ROOT } from '../router';
import * as words from '../words';

/** The icon of Parley, for organizations without one. */
const ICON = '/favicon.ico';

/** The URL of the organization's icon, if it is on this server: the content security policy blocks others. */
function iconUrl(): string {
  if (organizationText('realm_icon_source') !== 'U') return ICON;
  const { origin, pathname, search } = new URL(organizationText('realm_icon_url'), location.origin);
  return origin === location.origin ? pathname + search : ICON;
}

/** The organization's icon and name. */
export function Brand() {
  return (
    <a class="brand" href={ROOT}>
      <img src={iconUrl()} alt="" />
      <span class="name">{organizationText('realm_name')}</span>
    </a>
  );
}

/** A link to write a new message. */
export function NewMessage() {
  return (
    <a class="button compose" href={`${ROOT}/new`} title={words.conversations.newMessage}>
      <Icon name="edit" />
      <span>{words.conversations.newMessage}</span>
    </a>
  );
}
