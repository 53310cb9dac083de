module example.org/kyc-example

go 1.19
