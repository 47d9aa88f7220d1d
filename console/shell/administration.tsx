import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { isAdministrator, isOwner } from '../connection/state';
import { Pages } from '../parts/pages';
import type { Screen } from '../parts/screen';
import { isNarrow } from '../parts/window';
import { navigate, path, ROOT } from '../router';
import { SCREENS } from '../screens';
import * as words from '../words';

/** URL of the list of administration pages, which only narrow windows show alone. */
const LIST = `${ROOT}/administration`;

/** Whether the signed-in user may open a page. */
export const isFor = ({ only }: Screen) => !only || (only === 'owners' ? isOwner : isAdministrator).value;

/** Administration pages that the user may open. */
const administrationScreens = () => SCREENS.filter((screen) => screen.label && isFor(screen));

/** Where the administration starts for the user; undefined if there is none. */
export function administrationPath(): string | undefined {
  const [first] = administrationScreens();
  return first && isNarrow.value ? LIST : first?.path;
}

const nameOf = ({ path: address }: Screen) => address.slice(ROOT.length + 1);

/** Shows a page, next to the list of administration pages if it is one of them. */
export function WithAdministration({ children }: { readonly children: ComponentChildren }) {
  const all = administrationScreens();
  const isIndex = path.value === LIST;
  const first = all[0]?.path;
  useEffect(() => {
    if (isIndex && !isNarrow.value && first) navigate(first, { replace: true });
  }, [isIndex, isNarrow.value, first]);
  const here = all.find(({ path: address }) => `${path.value}/`.startsWith(`${address}/`));
  if (!here && !isIndex) return <>{children}</>;
  const list = { href: LIST, title: words.sections.administration };
  const isDeeper = here !== undefined && here.path !== path.value;
  return (
    <Pages
      kind="administration"
      label={list.title}
      pages={Object.fromEntries(all.map((screen) => [nameOf(screen), screen.label!]))}
      path={ROOT}
      chosen={here ? nameOf(here) : ''}
      isIndex={isIndex}
      up={isIndex ? undefined : isDeeper ? { href: here.path, title: here.label! } : list}
    >
      {children}
    </Pages>
  );
}
