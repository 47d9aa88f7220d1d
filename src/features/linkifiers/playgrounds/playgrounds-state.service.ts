import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InitialStateRegistry } from '../../../platform/client-state/initial-state.registry';
import type { StateContributor } from '../../../platform/client-state/state-contributor';
import type { Queryable } from '../../../platform/database/queryable';
import { PlaygroundsService } from './playgrounds.service';
import { playgroundList } from './playgrounds.wire';

/** Tells a client that registers where code can be tried. */
@Injectable()
export class PlaygroundsStateService implements StateContributor, OnModuleInit {
  readonly fetchType = 'realm_playgrounds';

  constructor(
    private readonly playgrounds: PlaygroundsService,
    private readonly registry: InitialStateRegistry,
  ) {}

  onModuleInit(): void {
    this.registry.register(this);
  }

  async state(db: Queryable) {
    return playgroundList(await this.playgrounds.all(db));
  }
}
