import { Injectable, Global, Module } from '@nestjs/common';
import type { Hook, Port } from './hook';

type Listener = (...args: readonly unknown[]) => unknown;

/**
 * Registry of the listeners of each hook, and the provider of each port, in this application. Both are registered while
 * Nest starts.
 */
@Injectable()
export class Hooks {
  private readonly listeners = new Map<object, Listener[]>();
  private readonly providers = new Map<object, object>();

  /** Adds a listener. Listeners run in the order of registration. */
  on<Arguments extends readonly unknown[], Answer>(
    hook: Hook<Arguments, Answer>,
    listener: (...args: Arguments) => Answer | Promise<Answer>,
  ): void {
    const known = this.listeners.get(hook) ?? [];
    known.push(listener as unknown as Listener);
    this.listeners.set(hook, known);
  }

  /**
   * Runs the listeners one after the other; the first error ends the run. If a transaction is among the arguments, they
   * act within it, and an error undoes everything.
   * @returns the answers, in the order of the listeners
   */
  async run<Arguments extends readonly unknown[], Answer>(
    hook: Hook<Arguments, Answer>,
    ...args: Arguments
  ): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (const listener of this.listeners.get(hook) ?? []) answers.push((await listener(...args)) as Answer);
    return answers;
  }

  /**
   * Calls listeners that answer synchronously.
   * @returns the answers, in the order of the listeners
   */
  ask<Arguments extends readonly unknown[], Answer>(
    hook: Hook<Arguments, Answer extends Promise<unknown> ? never : Answer>,
    ...args: Arguments
  ): Answer[] {
    return (this.listeners.get(hook) ?? []).map((listener) => listener(...args) as Answer);
  }

  /** Registers the only provider of a port. @throws Error if it already has a provider, which is a bug */
  provide<Service extends object>(port: Port<Service>, service: Service): void {
    if (this.providers.has(port)) throw new Error(`Two features provide the port ${port.name}.`);
    this.providers.set(port, service);
  }

  /** The provider of a port; null if no feature provides it, as in a program without that feature. */
  provider<Service extends object>(port: Port<Service>): Service | null {
    return (this.providers.get(port) as Service | undefined) ?? null;
  }
}

/** Provides the hooks, by which features react to lower features. */
@Global()
@Module({ providers: [Hooks], exports: [Hooks] })
export class HooksModule {}
