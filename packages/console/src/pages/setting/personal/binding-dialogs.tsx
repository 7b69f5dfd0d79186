import { useForm } from '@mantine/form';
import { useTranslation } from '../../../i18n/translate.ts';
import { useBotCheck } from '../../../ui/bot-check.tsx';
import { EmailFields } from '../../../ui/email-fields.tsx';
import { focusFirstError } from '../../../ui/form/focus-first-error.ts';
import { useReauth } from '../../../ui/reauth.tsx';
import { WechatDialog } from '../../../ui/wechat-dialog.tsx';
import { FormDialog } from './form-dialog.tsx';
import { useBindEmail, useBindWechat } from './personal-queries.ts';

interface DialogProps {
  readonly onClose: () => void;
}

export function WechatBinding({ onClose }: DialogProps) {
  const { t } = useTranslation();
  const bind = useBindWechat(onClose);
  const title = t('Bind {provider}', { provider: t('WeChat') });
  const proof = useReauth();
  return (
    <>
      <WechatDialog
        isOpen
        isPending={bind.isPending || proof.isAsking}
        title={title}
        onClose={onClose}
        onCode={(code) => proof.run(() => bind.mutate(code))}
      />
      {proof.dialog}
    </>
  );
}

export function EmailBinding({ onClose }: DialogProps) {
  const { t } = useTranslation();
  const form = useForm({ initialValues: { email: '', verification_code: '' } });
  const { widget, take } = useBotCheck();
  const bind = useBindEmail(onClose);
  const proof = useReauth();
  const markEmail = () => form.setFieldError('email', t('Please enter an email address'));
  const submit = form.onSubmit(({ email, verification_code }) => {
    const marks = {
      ...(email.trim() === '' && { email: t('Please enter an email address') }),
      ...(verification_code.trim() === '' && { verification_code: t('Please enter the verification code') }),
    };
    form.setErrors(marks);
    if (Object.keys(marks).length > 0) focusFirstError(form, marks);
    else proof.run(() => bind.mutate({ email: email.trim(), code: verification_code.trim() }));
  });
  return (
    <FormDialog
      title={t('Bind {provider}', { provider: t('Email') })}
      isOpen
      onClose={onClose}
      onSubmit={submit}
      submitLabel={t('Bind')}
      isPending={bind.isPending}
      proof={proof}
    >
      <EmailFields
        field={form.getInputProps}
        email={form.values.email}
        onNoEmail={markEmail}
        takeToken={take}
        countdownLabel="Resend ({seconds})"
      />
      {widget}
    </FormDialog>
  );
}
