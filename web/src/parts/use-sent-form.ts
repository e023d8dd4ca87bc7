import { type FormErrors, type UseFormInput, useForm } from '@mantine/form';
import { useEffect } from 'react';
import { fieldErrorsOf } from '../api/field-errors.ts';

/** What the form sets off. */
interface Sending<Sent> {
  readonly error: unknown;
  readonly isPending: boolean;
  mutate(sent: Sent): void;
}

/**
 * A form that is sent to the server. Its fields are named as in the request, so that what the server finds wrong with one is said at
 * that field; `failed` holds what is left to say elsewhere. The first field with a mistake takes the focus.
 */
export function useSentForm<Values extends object, Sent = Values>(sending: Sending<Sent>, options: UseFormInput<Values, Sent>) {
  const form = useForm<Values, Sent>(options);
  const { error, isPending, mutate } = sending;
  const found = Object.entries(fieldErrorsOf(error)).filter(([field]) => field in form.values);
  const focusFirst = (errors: FormErrors) => {
    const [first] = Object.keys(form.values).filter((field) => errors[field] !== undefined);
    if (first !== undefined) form.getInputNode(first)?.focus();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer, however often the form is drawn.
  useEffect(() => {
    if (found.length === 0) return;
    const errors = Object.fromEntries(found);
    form.setErrors(errors);
    focusFirst(errors);
  }, [error]);
  return {
    form,
    submit: form.onSubmit((values) => mutate(values), focusFirst),
    failed: { error: found.length > 0 ? null : error, isPending },
  };
}
