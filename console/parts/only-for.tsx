import type { ComponentType } from 'preact';
import { isAdministrator, isOwner } from '../connection/state';
import { words } from '../words';
import { Page } from './page';
import type { ScreenProperties } from './screen';

/** The page for those who may see it; others are told for whom it is. The server refuses them what it would show. */
export function onlyFor(
  who: 'administrators' | 'owners',
  Show: ComponentType<ScreenProperties>,
): ComponentType<ScreenProperties> {
  return function OnlyFor(properties) {
    const mayEnter = who === 'owners' ? isOwner : isAdministrator;
    return mayEnter.value ? (
      <Show {...properties} />
    ) : (
      <Page title={words.notForYou} about={words.only[who]} />
    );
  };
}
