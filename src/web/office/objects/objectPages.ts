import type { ComponentType } from "react";
import type { OfficeObject } from "../../paths.ts";
import { BatchPage } from "./BatchPage.tsx";
import { LetterPage } from "./LetterPage.tsx";
import { OrderPage } from "./OrderPage.tsx";
import { PaymentPage } from "./PaymentPage.tsx";
import { UserPage } from "./UserPage.tsx";

export const objectPages: Readonly<Record<OfficeObject, ComponentType>> = {
  user: UserPage,
  order: OrderPage,
  payment: PaymentPage,
  batch: BatchPage,
  letter: LetterPage,
};
