import { Injectable, Global, Module } from '@nestjs/common';
import type { Hook, Port } from './hook';

type Listener = (...args: readonly unknown[]) => unknown;

/**
 * Knows who listens to each hook of this application, and who provides each port. Both are registered while Nest
 * starts.
 */
@Injectable()
export class Hooks {
  private readonly listeners = new Map<object, Listener[]>();
  private readonly providers = new Map<object, object>();

  /** Listeners run in the order in which they were added. */
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
   * @returns what each answered, in their order
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
   * Asks listeners that answer synchronously.
   * @returns what each answered, in their order
   */
  ask<Arguments extends readonly unknown[], Answer>(
    hook: Hook<Arguments, Answer extends Promise<unknown> ? never : Answer>,
    ...args: Arguments
  ): Answer[] {
    return (this.listeners.get(hook) ?? []).map((listener) => listener(...args) as Answer);
  }

  /** Registers the one provider of a port. @throws Error if it has a provider already, which is a bug */
  provide<Service extends object>(port: Port<Service>, service: Service): void {
    if (this.providers.has(port)) throw new Error(`Two features provide the port ${port.name}.`);
    this.providers.set(port, service);
  }

  /** The provider of a port; null where no feature provides it, as in a program that leaves that feature out. */
  provider<Service extends object>(port: Port<Service>): Service | null {
    return (this.providers.get(port) as Service | undefined) ?? null;
  }
}

/** Lets features act on what happens in the features below them. */
@Global()
@Module({ providers: [Hooks], exports: [Hooks] })
export class HooksModule {}
