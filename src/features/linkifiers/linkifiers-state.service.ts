import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InitialStateRegistry } from '../../platform/client-state/initial-state.registry';
import type { StateContributor, StateRequest } from '../../platform/client-state/state-contributor';
import type { Queryable } from '../../platform/database/queryable';
import { linkifierState, olderFilterState } from './linkifiers.wire';
import { LinkifiersService, URL_TEMPLATES } from './linkifiers.service';

/** Tells a client that registers the linkifiers, if it knows URL templates (groups reference 10.7). */
@Injectable()
export class LinkifiersStateService implements StateContributor, OnModuleInit {
  readonly fetchType = 'realm_linkifiers';

  constructor(
    private readonly linkifiers: LinkifiersService,
    private readonly registry: InitialStateRegistry,
  ) {}

  onModuleInit(): void {
    this.registry.register(this);
    this.registry.register({ fetchType: 'realm_filters', state: olderFilterState });
  }

  state(_db: Queryable, { capabilities }: StateRequest) {
    return linkifierState(capabilities.has(URL_TEMPLATES) ? this.linkifiers.list() : []);
  }
}
