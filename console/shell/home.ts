import { settings } from '../connection/state';
import { isNarrow } from '../parts/window';
import { navigate, path, ROOT } from '../router';

const VIEWS: Readonly<Record<string, string>> = { recent: `${ROOT}/recent`, all_messages: `${ROOT}/feed` };

/** The view that the user chose to see first; the inbox by default. */
const homePath = () => VIEWS[String(settings.value['web_home_view'])] ?? ROOT;

/** Shows the first view, unless the page was opened with another URL, or is reloaded. */
export function openHome(): void {
  if (path.value === ROOT && history.state === null) navigate(homePath(), { replace: true });
}

/** Open dialogs, menus and editors. */
const OPEN = 'dialog[open], [popover]:popover-open, .editor';

/** Closes the drawer of narrow windows. */
function closeDrawer(): boolean {
  const drawer = document.querySelector<HTMLDetailsElement>('body > nav > details[open]');
  if (!isNarrow.value || !drawer) return false;
  drawer.open = false;
  return true;
}

/** Opens the first view after Escape, if the user wants that and nothing is open that should close first. */
export function escapeHome(): boolean {
  if (closeDrawer()) return true;
  if (settings.value['web_escape_navigates_to_home_view'] !== true) return false;
  if (path.value === homePath() || document.querySelector(OPEN)) return false;
  navigate(homePath());
  return true;
}
