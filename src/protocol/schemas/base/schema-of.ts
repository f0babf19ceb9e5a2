// Compares a schema with the type that is written for it. Types are written, because the widget and readers need plain
// types (docs/decisions/0029-operations.md).
import type * as v from 'valibot';

/**
 * Whether two types are identical, in both directions. A mutual `extends` is not enough: a type without an optional field
 * extends one that has it.
 */
export type Equals<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** An intersection as one object: the output of `v.looseObject` is one. */
type Merged<T> = { [K in keyof T]: T[K] };

/** The names of the fields in which two types differ; 'the type' if it is none of them. */
type Difference<A, B> = {
  [K in keyof A | keyof B]: K extends keyof A & keyof B
    ? Equals<Pick<A, K>, Pick<B, K>> extends true
      ? never
      : K
    : K;
}[keyof A | keyof B] extends infer Fields
  ? [Fields] extends [never]
    ? 'the type'
    : Fields
  : never;

/** The schema of a written type. The compiler reports a field that only one of the two has, or that differs. */
export const schemaOf =
  <Written>() =>
  <S extends v.GenericSchema>(
    schema: S &
      (Equals<Merged<v.InferOutput<S>>, Merged<Written>> extends true
        ? unknown
        : { 'The schema and the written type differ in': Difference<v.InferOutput<S>, Written> }),
  ): S =>
    schema;
