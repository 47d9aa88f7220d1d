import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { ReadRepository } from '../../../platform/database/read-source';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { personalDataRemoved } from '../../users/users.module';
import { NavigationView } from './navigation-view.entity';
import {
  BuiltInViewHasName,
  CustomViewNameless,
  navigationViewAdded,
  NavigationViewExists,
  NavigationViewNotFound,
  navigationViewRemoved,
  navigationViewUpdated,
  navigationViewWire,
  type NavigationViewWire,
  TooManyNavigationViews,
} from './navigation-views.api';

/** Views that clients have by themselves, and name. There is a row of one only where its owner changed it. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
]);

/** All views of a person are sent when they register. */
const MAX_VIEWS = 500;

/** Keeps the views in the left sidebar of each person. */
@Injectable()
export class NavigationViewsService {
  constructor(
    @InjectRepository(NavigationView) private readonly views: ReadRepository<NavigationView>,
    private readonly transactions: TransactionService,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('navigation_views', async (db, { reader }) => ({
        navigation_views: reader
          ? (await viewsOf(db.repository(NavigationView), reader.userId)).map(navigationViewWire)
          : [],
      })),
    );
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(NavigationView).delete({ userId });
    });
  }

  /** The caller's views, oldest first. */
  async list(actor: Actor): Promise<NavigationViewWire[]> {
    return (await viewsOf(this.views, actor.userId)).map(navigationViewWire);
  }

  /** @throws BuiltInViewHasName, CustomViewNameless, NavigationViewExists, TooManyNavigationViews */
  async add(actor: Actor, view: Pick<NavigationView, 'fragment' | 'isPinned' | 'name'>): Promise<void> {
    const isBuiltIn = BUILT_IN.has(view.fragment);
    if (isBuiltIn && view.name) throw new BuiltInViewHasName();
    if (!isBuiltIn && !view.name) throw new CustomViewNameless();
    await this.change(actor, async (tx, views) => {
      const isTaken = (other: NavigationView) =>
        other.fragment === view.fragment || hasName(other, view.name);
      if (views.some(isTaken)) throw new NavigationViewExists();
      if (views.length >= MAX_VIEWS) throw new TooManyNavigationViews(MAX_VIEWS);
      const added = await tx
        .repository(NavigationView)
        .save({ ...view, name: view.name || null, userId: actor.userId });
      tx.emit(
        navigationViewAdded({ navigation_view: navigationViewWire(added) }),
        Audience.of([actor.userId]),
      );
    });
  }

  /**
   * @param changed as the record has it; where it is empty, clients are told all the same
   * @throws BuiltInViewHasName, CustomViewNameless, NavigationViewExists also for the name that the view has already,
   *   NavigationViewNotFound
   */
  async update(
    actor: Actor,
    fragment: string,
    changed: Partial<Pick<NavigationViewWire, 'is_pinned'> & { name: string }>,
  ): Promise<void> {
    const { is_pinned: isPinned, name } = changed;
    if (BUILT_IN.has(fragment) && name) throw new BuiltInViewHasName();
    if (!BUILT_IN.has(fragment) && name === '') throw new CustomViewNameless();
    await this.change(actor, async (tx, views) => {
      if (views.some((view) => hasName(view, name))) throw new NavigationViewExists();
      const view = viewAt(views, fragment);
      if (isPinned !== undefined) view.isPinned = isPinned;
      if (name) view.name = name;
      await tx.repository(NavigationView).save(view);
      const data = { ...changed, ...(name === '' && { name: null }) };
      tx.emit(navigationViewUpdated({ fragment, data }), Audience.of([actor.userId]));
    });
  }

  /** @throws NavigationViewNotFound */
  async remove(actor: Actor, fragment: string): Promise<void> {
    await this.change(actor, async (tx, views) => {
      await tx.repository(NavigationView).delete({ id: viewAt(views, fragment).id });
      tx.emit(navigationViewRemoved({ fragment }), Audience.of([actor.userId]));
    });
  }

  /** Runs the work on a user's views, locked against other changes. */
  private async change(
    { userId }: Actor,
    work: (tx: Transaction, views: NavigationView[]) => Promise<void>,
  ): Promise<void> {
    await this.transactions.runExclusive(async (tx) =>
      work(tx, await viewsOf(tx.repository(NavigationView), userId)),
    );
  }
}

function viewsOf(views: ReadRepository<NavigationView>, userId: number): Promise<NavigationView[]> {
  return views.find({ where: { userId }, order: { id: 'ASC' } });
}

/** @throws NavigationViewNotFound */
function viewAt(views: readonly NavigationView[], fragment: string): NavigationView {
  const view = views.find((each) => each.fragment === fragment);
  if (!view) throw new NavigationViewNotFound();
  return view;
}

function hasName(view: NavigationView, name: string | null | undefined): boolean {
  return Boolean(name) && view.name === name;
}
