import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import { integrationsSought } from './incoming-webhooks.hooks';
import { integrationsState, UnknownIntegration } from './incoming-webhooks.api';
import type { Integration } from './reading/integration';
import { INTEGRATIONS } from './services';

/** Which integrations there are, those of modules among them. */
@Injectable()
export class KnownIntegrations implements OnApplicationBootstrap {
  private readonly byName = new Map<string, Integration>();
  private all: readonly Integration[] = [];

  constructor(private readonly hooks: Hooks) {
    hooks.on(
      initialState,
      stateFor('realm_incoming_webhook_bots', () => integrationsState(this.all)),
    );
  }

  /** @throws Error where two have one name, which is a bug */
  onApplicationBootstrap(): void {
    this.all = [...INTEGRATIONS, ...this.hooks.ask(integrationsSought).flat()];
    for (const integration of this.all) {
      for (const name of [integration.name, ...(integration.aliases ?? [])]) {
        if (this.byName.has(name)) throw new Error(`Duplicate integration name "${name}".`);
        this.byName.set(name, integration);
      }
    }
  }

  /** @throws UnknownIntegration */
  named(name: string): Integration {
    const integration = this.byName.get(name);
    if (!integration) throw new UnknownIntegration();
    return integration;
  }
}
