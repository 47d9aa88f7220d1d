import { Injectable } from '@nestjs/common';
import { THE_OPERATOR } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { LoadedModules } from '../../../platform/modules/load-modules';
import { type KeptData, ModuleData } from '../../../platform/modules/module-data';
import { callersOf, routesOfModule } from '../../../platform/modules/module-routes';
import {
  command,
  CommandRefused,
  NoInput,
  operatorCommand,
} from '../../../platform/operator/operator-commands';
import { AuditLog } from '../../audit/audit.module';
import { RemoveModuleInput } from '../operations.api';

/** A module as shown by `parley module list`. */
interface ListedModule {
  readonly name: string;
  /** Whether the server has loaded it; others may still have tables. */
  readonly isLoaded: boolean;
  readonly version: string;
  readonly from: string;
  readonly about: string;
  readonly tables: readonly string[];
  readonly migrations: readonly string[];
  /** Each with the callers that it serves. */
  readonly routes: readonly string[];
}

/** Lists modules, and deletes the data of unused ones. */
@Injectable()
export class ModuleCommandsService {
  constructor(
    hooks: Hooks,
    private readonly modules: LoadedModules,
    private readonly data: ModuleData,
    private readonly transactions: TransactionService,
    private readonly audit: AuditLog,
  ) {
    hooks.on(
      operatorCommand,
      command('module list', NoInput, async () => ({ modules: await this.list() })),
    );
    hooks.on(
      operatorCommand,
      command(
        'module remove',
        RemoveModuleInput,
        ({ name }) => this.remove(name),
        ({ name }) => name,
      ),
    );
  }

  /** Loaded modules in their order, followed by the others. */
  private async list(): Promise<ListedModule[]> {
    const kept = await this.data.all();
    const nothing = { tables: [], migrations: [] };
    const loaded = this.modules.all.map(({ definition, from, version }) => {
      const { name, about } = definition;
      const { tables, migrations } = kept.find((data) => data.name === name) ?? nothing;
      const routes = routesOfModule(definition).map(
        (route) => `${route.verb} ${route.path}: ${callersOf(route)}`,
      );
      return { name, isLoaded: true, version, from, about, tables, migrations, routes };
    });
    const absent = kept.filter(({ name }) => !this.modules.find(name));
    return [
      ...loaded,
      ...absent.map((data) => ({ ...data, isLoaded: false, version: '', from: '', about: '', routes: [] })),
    ];
  }

  /** @throws CommandRefused for a module that is in use or unknown */
  private async remove(name: string): Promise<KeptData> {
    if (this.modules.find(name)) {
      throw new CommandRefused(
        `The module ${name} is in use. Remove it from PARLEY_MODULES and restart the server first.`,
      );
    }
    return this.transactions.runExclusive(async (tx) => {
      const data = (await this.data.all(tx)).find((kept) => kept.name === name);
      if (!data) throw new CommandRefused(`The database has no tables of a module ${name}.`);
      await this.data.remove(tx, data);
      this.audit.record(tx, THE_OPERATOR, 'server.module_removed', {}, { module: name });
      return data;
    });
  }
}
