import { type DynamicModule, Global, Module } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { loadSettings } from '../platform/config/load-config';
import type { LoadedModule } from '../platform/modules/load-modules';
import { routePrefix, nestModulesOf } from '../platform/modules/module-definition';
import { AuditModule } from '../features/audit/audit.module';
import { ChannelsModule } from '../features/channels/channels.module';
import { MessagesModule } from '../features/messages/messages.module';
import { ReactionsModule } from '../features/reactions/reactions.module';
import { UserGroupsModule } from '../features/user-groups/user-groups.module';
import { UsersModule } from '../features/users/users.module';
import { Channels } from './channels';
import { Groups, People } from './people';
import { Messages } from './messages';
import { ModuleAudit, ModuleJobs, Transactions } from './module-services';
import { Moments } from './moments';

const services = [Channels, Groups, Messages, ModuleAudit, ModuleJobs, Moments, People, Transactions];

/** The services that every module can inject, including its settings. */
@Global()
@Module({
  imports: [AuditModule, UsersModule, UserGroupsModule, ChannelsModule, MessagesModule, ReactionsModule],
  providers: services,
  exports: services,
})
class ModuleSurface {
  static forModules(modules: readonly LoadedModule[]): DynamicModule {
    const settings = modules.flatMap(({ definition }) => {
      const fields = definition.settings;
      return fields ? [{ provide: fields, useValue: loadSettings(fields) }] : [];
    });
    return { module: ModuleSurface, providers: settings, exports: settings.map(({ provide }) => provide) };
  }
}

/**
 * The Nest modules of loaded modules, each with its routes under its own prefix.
 * @throws {ConfigurationError} for invalid variables of modules
 */
export function partsOfModules(modules: readonly LoadedModule[]): (DynamicModule | NestClass)[] {
  if (modules.length === 0) return [];
  const definitions = modules.map(({ definition }) => definition);
  return [
    ModuleSurface.forModules(modules),
    ...definitions.map(({ module }) => module),
    RouterModule.register(
      definitions.flatMap(({ name, module }) =>
        nestModulesOf(module).map((part) => ({ path: routePrefix(name), module: part })),
      ),
    ),
  ];
}

type NestClass = LoadedModule['definition']['module'];
