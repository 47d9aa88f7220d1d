import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { Hooks } from '../hooks/hooks';
import { defineHook } from '../hooks/hook';

/** Progress of a long command. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** The current step, in a word or two. */
  readonly what: string;
}

/** Context of a command, besides its input. */
export interface OperatorContext {
  /** URL under which clients reach the server; the configured one if no server runs. */
  readonly site: string;
  /** Aborted when the caller no longer waits, or the server stops. */
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
}

/** A command that the operator can run from the command line. */
interface OperatorCommand<Input extends object = object> {
  /** Such as `user add`. */
  readonly name: string;
  readonly input: new () => Input;

  run(input: Input, context: OperatorContext): Promise<object>;
  /** The object of the command, for the log; null if there is none. */
  target(input: Input): string | null;
}

/** Collects the commands of features; listeners are created by {@link command}. */
export const operatorCommand = defineHook<[], OperatorCommand>('operatorCommand');

/**
 * A listener to {@link operatorCommand} that offers one command.
 * @param name as typed
 * @param input a class with a validated field for each key of the input
 * @param run returns a JSON-serializable result
 * @param target the object of the command, for the log, if the input names one
 */
export function command<Input extends object>(
  name: string,
  input: new () => Input,
  run: (input: Input, context: OperatorContext) => Promise<object>,
  target: (input: Input) => string | null = () => null,
): () => OperatorCommand<Input> {
  return () => ({ name, input, run, target });
}

/** Input of commands that take none. */
export class NoInput {}

/** A command cannot be carried out; the message says why, and what to do. */
export class CommandRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** Runs the operator commands of features. */
@Injectable()
export class OperatorCommands implements OnApplicationBootstrap {
  private readonly commands = new Map<string, OperatorCommand>();

  private readonly logger = new Logger('Operator');

  constructor(private readonly hooks: Hooks) {}

  onApplicationBootstrap(): void {
    for (const command of this.hooks.ask(operatorCommand)) {
      if (this.commands.has(command.name)) throw new Error(`Duplicate command "${command.name}".`);
      this.commands.set(command.name, command);
    }
  }

  /** @throws CommandRefused, and every error of the command */
  async run(name: string, input: object, context: OperatorContext): Promise<object> {
    const command = this.commands.get(name);
    if (!command) {
      const [, module] = /^module run (\S+) /.exec(name) ?? [];
      if (module !== undefined) throw new CommandRefused(this.commandsOf(module));
      throw new CommandRefused(
        `The running server does not know the command "${name}" because it is another version. Restart it.`,
      );
    }
    const checked = plainToInstance(command.input, input);
    const problems = await validate(checked, {
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: false,
    });
    const sentences = problems.flatMap(({ constraints }) => Object.values(constraints ?? {}));
    if (sentences.length > 0) throw new CommandRefused(`${sentences.join('\n')}`);
    this.logger.log(`Command "${name}"${targetText(command.target(checked))}.`);
    return command.run(checked, context);
  }

  /** The message for an unknown command of a module. */
  private commandsOf(module: string): string {
    const prefix = `module run ${module} `;
    const names = [...this.commands.keys()].filter((name) => name.startsWith(prefix));
    if (names.length > 0)
      return `The module ${module} has ${names.map((name) => name.slice(prefix.length)).join(', ')}.`;
    return `No module ${module} with commands is loaded. "parley module list" shows the loaded ones.`;
  }
}

/** No object has a longer name. */
const MAX_TARGET = 300;

function targetText(target: string | null): string {
  return target === null ? '' : ` on ${JSON.stringify(target.slice(0, MAX_TARGET))}`;
}
