import type { ComponentChildren } from 'preact';
import { isAdministrator, isOwner } from '../connection/state';
import { Pages } from '../parts/pages';
import type { Screen } from '../parts/screen';
import { path, ROOT } from '../router';
import { SCREENS } from '../screens';
import * as words from '../words';

/** Whether the signed-in user may open a page. */
export const isFor = ({ only }: Screen) => !only || (only === 'owners' ? isOwner : isAdministrator).value;

/** Administration pages that the user may open. */
export const administrationScreens = () => SCREENS.filter((screen) => screen.label && isFor(screen));

const nameOf = ({ path: address }: Screen) => address.slice(ROOT.length + 1);

/** Shows a page, next to the list of administration pages if it is one of them. */
export function WithAdministration({ children }: { readonly children: ComponentChildren }) {
  const all = administrationScreens();
  const here = all.find(({ path: address }) => `${path.value}/`.startsWith(`${address}/`));
  if (!here) return <>{children}</>;
  return (
    <Pages
      kind="administration"
      label={words.sections.administration}
      pages={Object.fromEntries(all.map((screen) => [nameOf(screen), screen.label!]))}
      path={ROOT}
      chosen={nameOf(here)}
    >
      {children}
    </Pages>
  );
}
