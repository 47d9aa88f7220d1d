import { type DynamicModule, Global, Module } from '@nestjs/common';
import { type LoadedModule, LoadedModules } from './load-modules';
import { ModuleData } from './module-data';

/** Provides the loaded modules to every feature. */
@Global()
@Module({})
export class ModulesModule {
  static forRoot(modules: readonly LoadedModule[]): DynamicModule {
    return {
      module: ModulesModule,
      providers: [{ provide: LoadedModules, useValue: new LoadedModules(modules) }, ModuleData],
      exports: [LoadedModules, ModuleData],
    };
  }
}
